/// The three ways in which lines end: LF, CR LF, and CR alone.
package enum LineEnding {
    /// The ending of the first line; nil when there is only one line, without an ending.
    package static func first(in bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard let index = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return nil }
        if bytes[index] == 0x0A { return [0x0A] }
        return index + 1 < bytes.endIndex && bytes[index + 1] == 0x0A ? [0x0D, 0x0A] : [0x0D]
    }

    /// The lines with their endings; together they are the bytes.
    package static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        var index = start
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            guard byte == 0x0A || byte == 0x0D else { continue }
            if byte == 0x0D, index < bytes.endIndex, bytes[index] == 0x0A { index += 1 }
            lines.append(bytes[start..<index])
            start = index
        }
        if start < bytes.endIndex { lines.append(bytes[start...]) }
        return lines
    }
}
