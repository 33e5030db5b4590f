/// What changed between two texts, line by line, as `diff -u` shows it.
///
/// The shortest list of changes (Myers 1986, "An O(ND) difference algorithm and its variations"). Texts that
/// differ in more than `maximumChanges` lines are shown as one replaced by the other from the first line
/// that differs to the last.
package struct LineDiff: Sendable {
    /// The search keeps about this many squared numbers.
    static let maximumChanges = 2_000
    /// Unchanged lines shown around a change.
    static let context = 3

    package enum Kind: Sendable, Equatable {
        /// `@@ -1,4 +1,5 @@`
        case place
        case same, removed, added
        /// `\ No newline at end of file`
        case remark
    }

    package struct PatchLine: Sendable, Equatable {
        package let kind: Kind
        /// Without the sign and the line's end.
        package let bytes: [UInt8]

        /// As a patch has it.
        package var patch: [UInt8] {
            switch kind {
            case .same: [0x20] + bytes
            case .removed: [0x2D] + bytes
            case .added: [0x2B] + bytes
            case .place, .remark: bytes
            }
        }
    }

    /// Lines with their ends; only the last may have none.
    private let old: [ArraySlice<UInt8>]
    private let new: [ArraySlice<UInt8>]
    /// Runs of lines that stay the same, in order: where in the old text, where in the new, how many.
    private let runs: [Run]

    private struct Run {
        var old: Int
        var new: Int
        var count: Int
    }

    package init(from old: [UInt8], to new: [UInt8]) {
        self.old = LineDiff.lines(of: old)
        self.new = LineDiff.lines(of: new)
        runs = LineDiff.runs(self.old, self.new)
    }

    package var isEmpty: Bool {
        old.count == new.count && (runs.first?.count ?? 0) == old.count
    }

    private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        for index in bytes.indices where bytes[index] == 0x0A {
            lines.append(bytes[start...index])
            start = index + 1
        }
        if start < bytes.count { lines.append(bytes[start...]) }
        return lines
    }

    // MARK: Finding what stays

    private static func runs(_ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) -> [Run] {
        // Equal lines get equal numbers, so that comparing is cheap.
        var numbers: [ArraySlice<UInt8>: Int] = [:]
        func number(_ line: ArraySlice<UInt8>) -> Int {
            if let known = numbers[line] { return known }
            numbers[line] = numbers.count
            return numbers.count - 1
        }
        let (a, b) = (old.map(number), new.map(number))
        var head = 0
        while head < min(a.count, b.count), a[head] == b[head] { head += 1 }
        var tail = 0
        while tail < min(a.count, b.count) - head,
            a[a.count - 1 - tail] == b[b.count - 1 - tail]
        { tail += 1 }
        var pairs = (0..<head).map { ($0, $0) }
        pairs += common(a[head..<(a.count - tail)], b[head..<(b.count - tail)])
        pairs += (0..<tail).reversed().map { (a.count - 1 - $0, b.count - 1 - $0) }
        var runs: [Run] = []
        for (x, y) in pairs {
            if let last = runs.last, last.old + last.count == x, last.new + last.count == y {
                runs[runs.count - 1].count += 1
            } else {
                runs.append(Run(old: x, new: y, count: 1))
            }
        }
        return runs
    }

    /// Places of a longest common subsequence; none when the texts differ too much.
    private static func common(_ a: ArraySlice<Int>, _ b: ArraySlice<Int>) -> [(Int, Int)] {
        let (first, second) = (Array(a), Array(b))
        guard !first.isEmpty, !second.isEmpty else { return [] }
        let limit = min(first.count + second.count, maximumChanges)
        // Diagonal k holds the farthest x at `middle + k`; each round's is kept for the way back.
        let middle = limit + 1
        var farthest = [Int32](repeating: 0, count: 2 * limit + 3)
        var rounds: [[Int32]] = []
        for changes in 0...limit {
            rounds.append(Array(farthest[(middle - changes - 1)...(middle + changes + 1)]))
            for k in stride(from: -changes, through: changes, by: 2) {
                let down =
                    k == -changes
                    || (k != changes && farthest[middle + k - 1] < farthest[middle + k + 1])
                var x = Int(down ? farthest[middle + k + 1] : farthest[middle + k - 1] + 1)
                while x < first.count, x - k < second.count, first[x] == second[x - k] {
                    x += 1
                }
                farthest[middle + k] = Int32(x)
                if x >= first.count, x - k >= second.count {
                    return wayBack(rounds, first.count, second.count)
                        .map { (a.startIndex + $0.0, b.startIndex + $0.1) }
                }
            }
        }
        return []
    }

    /// - Parameter rounds: before each round, the farthest x of diagonals `-changes - 1` on.
    private static func wayBack(
        _ rounds: [[Int32]], _ oldCount: Int, _ newCount: Int
    ) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var (x, y) = (oldCount, newCount)
        for changes in rounds.indices.reversed() {
            let round = rounds[changes]
            let k = x - y
            let at = { (diagonal: Int) in Int(round[diagonal + changes + 1]) }
            let down = k == -changes || (k != changes && at(k - 1) < at(k + 1))
            let from = down ? k + 1 : k - 1
            let startX = changes == 0 ? 0 : at(from)
            let startY = changes == 0 ? 0 : startX - from
            // The step itself added or removed one line; what follows it on the diagonal is common.
            while x > startX, y > startY {
                pairs.append((x - 1, y - 1))
                (x, y) = (x - 1, y - 1)
            }
            (x, y) = (startX, startY)
        }
        return pairs.reversed()
    }

    // MARK: Showing

    /// The changes with the lines around them; nothing when the texts are the same.
    package var unified: [PatchLine] {
        var lines: [PatchLine] = []
        for hunk in hunks() { lines += show(hunk) }
        return lines
    }

    /// A replaced part: lines of the old text, and those of the new one in their place.
    private struct Change {
        var old: Range<Int>
        var new: Range<Int>
    }

    private func changes() -> [Change] {
        var changes: [Change] = []
        var (x, y) = (0, 0)
        for run in runs + [Run(old: old.count, new: new.count, count: 0)] {
            if run.old > x || run.new > y {
                changes.append(Change(old: x..<run.old, new: y..<run.new))
            }
            (x, y) = (run.old + run.count, run.new + run.count)
        }
        return changes
    }

    /// Changes whose surroundings touch, together.
    private func hunks() -> [[Change]] {
        var hunks: [[Change]] = []
        for change in changes() {
            if let last = hunks.last?.last,
                change.old.lowerBound - last.old.upperBound <= 2 * LineDiff.context
            {
                hunks[hunks.count - 1].append(change)
            } else {
                hunks.append([change])
            }
        }
        return hunks
    }

    private func show(_ hunk: [Change]) -> [PatchLine] {
        guard let first = hunk.first, let last = hunk.last else { return [] }
        let before = min(LineDiff.context, first.old.lowerBound)
        let after = min(LineDiff.context, old.count - last.old.upperBound)
        let oldRange = (first.old.lowerBound - before)..<(last.old.upperBound + after)
        let newRange = (first.new.lowerBound - before)..<(last.new.upperBound + after)
        let place = "@@ -\(LineDiff.place(oldRange)) +\(LineDiff.place(newRange)) @@"
        var lines = [PatchLine(kind: .place, bytes: Array(place.utf8))]
        var x = oldRange.lowerBound
        for change in hunk {
            for index in x..<change.old.lowerBound { add(old[index], .same, &lines) }
            for index in change.old { add(old[index], .removed, &lines) }
            for index in change.new { add(new[index], .added, &lines) }
            x = change.old.upperBound
        }
        for index in x..<oldRange.upperBound { add(old[index], .same, &lines) }
        return lines
    }

    private func add(_ line: ArraySlice<UInt8>, _ kind: Kind, _ lines: inout [PatchLine]) {
        let hasEnd = line.last == 0x0A
        lines.append(PatchLine(kind: kind, bytes: Array(hasEnd ? line.dropLast() : line)))
        if !hasEnd {
            let remark = "\\ No newline at end of file"
            lines.append(PatchLine(kind: .remark, bytes: Array(remark.utf8)))
        }
    }

    /// `12,3`; a single line without its count, an empty part by the line before it.
    private static func place(_ range: Range<Int>) -> String {
        switch range.count {
        case 0: "\(range.lowerBound),0"
        case 1: "\(range.lowerBound + 1)"
        default: "\(range.lowerBound + 1),\(range.count)"
        }
    }
}
