/// What a text so far is, seen from the form it must take.
package enum TextCheck: Hashable, Sendable {
    /// It can never become right.
    case refused
    /// More must or may follow.
    case open
    /// The content ended after so many bytes; what follows is the closing text and what the token held beyond it.
    case closed(contentBytes: Int)
}

/// One part of a reply whose shape is known beforehand.
package enum Slot: Sendable {
    case fixed(String)
    /// One of these texts; none may be empty. The first is guessed: naming the likeliest first saves time.
    case choice([String])
    /// Text that the model writes. `check` is given all its bytes so far; `end` closes it and is copied.
    case free(end: String, check: @Sendable (ArraySlice<UInt8>) -> TextCheck)
}

/// Fills a form: fixed text is only read, choices are decided by comparing the tokens in which they differ, and
/// the model writes free text alone.
///
/// Text is always tokenised together with what follows it, and what the model has not read yet (`reply` from `readBytes`
/// on) is carried into the next slot: so the tokens that it reads are those of the finished reply.
package struct SlotDecoder {
    private let context: LlamaContext
    private let slots: [Slot]
    private let emit: (String) throws(LlamaError) -> Void
    /// Prompt tokens that have not been read.
    private var prompt: [Int32]
    /// All text decided so far.
    private var reply: [UInt8] = []
    /// How many bytes of the reply the model has read. May be ahead of it by fixed text to come.
    private var readBytes = 0
    private var emitted = 0
    /// Not after a wrong guess: what follows from it would likely be guessed wrong too.
    private var mayGuess = true
    /// Tokens that the model chose: written freely, or picked where choices differ.
    private(set) package var chosenTokens = 0
    /// When the prompt had been read; nil before, and for a form without gaps.
    private(set) package var promptRead: ContinuousClock.Instant?
    private let maximumTokens: Int

    /// Following text longer than this decides nothing any more.
    private static let lookAhead = 24

    /// Tokens that free text may take beyond the limit to reach a place where it can end.
    private static let grace = 64

    /// - Parameter prompt: what the context has not read of the prompt; at least one token.
    package init(
        _ slots: [Slot], in context: LlamaContext, prompt: [Int32], maximumTokens: Int,
        emit: @escaping (String) throws(LlamaError) -> Void
    ) {
        self.slots = slots
        self.context = context
        self.prompt = prompt
        self.maximumTokens = maximumTokens
        self.emit = emit
    }

    /// Decides every slot, greedily. The reply has then been emitted; its end has not been read by the model.
    /// - Throws: `LlamaError.deadEnd` when free text can neither go on nor end, and what reading throws.
    package mutating func run() throws(LlamaError) {
        var index = 0
        while index < slots.count {
            switch slots[index] {
            case .fixed(let text): reply += text.utf8
            case .choice(let options):
                if let next = try guessAhead(from: index) {
                    index = next
                    try flush()
                    continue
                }
                reply += try choose(options, before: following(index)).utf8
            case .free(let end, let check): try write(end: end, check: check)
            }
            try flush()
            index += 1
        }
    }

    /// Fixed text right after the slot.
    private func following(_ index: Int) -> String {
        var text = ""
        for slot in slots[(index + 1)...] {
            switch slot {
            case .fixed(let more): text += more
            case .choice(let options) where options.count == 1: text += options[0]
            default: return text
            }
            if text.utf8.count >= Self.lookAhead { break }
        }
        return text
    }

    /// An option and the tokens of all unread text with it and what follows.
    private typealias Candidate = (option: String, tokens: [Int32])

    private mutating func choose(
        _ options: [String], before following: String
    ) throws(LlamaError) -> String {
        precondition(!options.isEmpty, "a choice needs an option")
        if options.count == 1 { return options[0] }
        let pending = unread
        let vocabulary = context.model.vocabulary
        return try walk(
            options.map { ($0, vocabulary.tokens(of: pending + $0 + following)) }, from: 0)
    }

    /// Goes down the tree of the candidates' tokens, the first `depth` of which are read and common to all.
    private mutating func walk(_ all: [Candidate], from start: Int) throws(LlamaError) -> String {
        var candidates = all
        var depth = start
        while candidates.count > 1 {
            // What all have in common is read at once.
            let first = candidates[0].tokens
            var common = depth
            while common < first.count,
                candidates.allSatisfy({
                    $0.tokens.count > common && $0.tokens[common] == first[common]
                })
            { common += 1 }
            try read(first[depth..<common])
            depth = common
            let longer = candidates.filter { $0.tokens.count > depth }
            // All the same text: nothing to decide.
            guard !longer.isEmpty else { break }
            chosenTokens += 1
            let nexts = longer.map { $0.tokens[depth] }
            if let ended = candidates.first(where: { $0.tokens.count <= depth }) {
                // One option is the beginning of others: it is taken unless the model would go on as they do.
                let free = try context.likeliest()
                guard nexts.contains(free) else { return ended.option }
            }
            let best = try context.likeliest(among: nexts)
            candidates = longer.filter { $0.tokens[depth] == best }
        }
        return candidates[0].option
    }

    /// Where a guess and another option part: the place in the guess's tokens, and what comes there instead.
    private struct Parting {
        var slot: Int
        var depth: Int
        var others: [Candidate]
    }

    /// Reads several choices at once as if the first option of each were right, and looks back at where each parts
    /// from its rivals. What was guessed wrong is cut off again and decided as `choose` does.
    ///
    /// One read of thirty tokens costs as much as two of eight. Nil when there is nothing to gain.
    /// - Returns: the slot to go on with.
    private mutating func guessAhead(from start: Int) throws(LlamaError) -> Int? {
        guard mayGuess else { return nil }
        var end = start
        var guess = ""
        var beginnings: [Int: String] = [:]
        collecting: while end < slots.count {
            switch slots[end] {
            case .fixed(let text): guess += text
            case .choice(let options):
                if options.count > 1 { beginnings[end] = guess }
                guess += options[0]
            case .free: break collecting
            }
            end += 1
        }
        let pending = unread
        let vocabulary = context.model.vocabulary
        let guessed = vocabulary.tokens(of: pending + guess)
        var tokens = guessed
        guard beginnings.count > 1, prompt.count + tokens.count <= LlamaContext.chunk else {
            return nil
        }

        var partings: [Parting] = []
        for slot in beginnings.keys.sorted() {
            guard case .choice(let options) = slots[slot], let before = beginnings[slot] else {
                continue
            }
            var found: [Int: [Candidate]] = [:]
            for option in options.dropFirst() {
                let other = vocabulary.tokens(of: pending + before + option + following(slot))
                let depth = zip(tokens, other).prefix { $0 == $1 }.count
                // An option that begins another, or parts before anything was read, is left to `choose`.
                guard depth > 0, depth < tokens.count, depth < other.count,
                    depth > partings.last?.depth ?? 0
                else { return nil }
                found[depth, default: []].append((option, other))
            }
            for depth in found.keys.sorted() {
                partings.append(Parting(slot: slot, depth: depth, others: found[depth] ?? []))
            }
        }
        guard let last = partings.last, partings.count < LlamaContext.mostRows else { return nil }
        // Nothing is written after a form's last choice: its end need not be read.
        if end == slots.count { tokens.removeLast(tokens.count - last.depth) }

        let promptCount = prompt.count
        let base = context.tokens.count + promptCount
        let all = prompt + tokens
        try context.read(
            all, scoring: Set(partings.map { promptCount + $0.depth - 1 } + [all.count - 1]))
        promptIsRead()
        var right = partings.count
        var winners: [Candidate] = []
        for (index, parting) in partings.enumerated() {
            chosenTokens += 1
            let own = guessed[parting.depth]
            let best = try context.likeliest(
                among: [own] + parting.others.map { $0.tokens[parting.depth] },
                after: promptCount + parting.depth - 1)
            if best != own {
                right = index
                winners = parting.others.filter { $0.tokens[parting.depth] == best }
                break
            }
        }
        guard right < partings.count else {
            count(tokens[...])
            reply += guess.utf8
            return end
        }
        mayGuess = false
        let parting = partings[right]
        context.cut(to: base + parting.depth)
        count(tokens[..<parting.depth])
        reply += (beginnings[parting.slot] ?? "").utf8
        let option = try walk(winners, from: parting.depth)
        reply += option.utf8
        return parting.slot + 1
    }

    private mutating func write(
        end: String, check: @Sendable (ArraySlice<UInt8>) -> TextCheck
    ) throws(LlamaError) {
        mayGuess = true
        try read(context.model.vocabulary.tokens(of: unread)[...])
        let start = reply.count
        while true {
            let sofar = reply[start...]
            if chosenTokens >= maximumTokens {
                // Over the limit it is closed as soon as its form allows.
                if case .closed(let count) = check(sofar + end.utf8), count == sofar.count {
                    reply += end.utf8
                    return
                }
                guard chosenTokens < maximumTokens + Self.grace else { throw .deadEnd }
            }
            let token = try context.likeliest { token in
                let piece = context.model.vocabulary.piece(token)
                return !piece.isEmpty && check(sofar + piece) != .refused
            }
            guard let token else { throw .deadEnd }
            chosenTokens += 1
            let text = sofar + context.model.vocabulary.piece(token)
            if case .closed(let count) = check(text) {
                // The closing token may hold content, closing text and more at once. It is not read: its content
                // is tokenised again with the text that follows.
                reply.removeSubrange(start...)
                reply += text.prefix(count)
                reply += end.utf8
                return
            }
            reply += text[sofar.endIndex...]
            try read([token])
            try flush()
        }
    }

    /// What the model has not read of the reply.
    private var unread: String {
        String(decoding: reply[min(readBytes, reply.count)...], as: UTF8.self)
    }

    private mutating func read(_ tokens: ArraySlice<Int32>) throws(LlamaError) {
        guard !tokens.isEmpty || !prompt.isEmpty else { return }
        try context.read(prompt + tokens)
        promptIsRead()
        count(tokens)
    }

    private mutating func promptIsRead() {
        if promptRead == nil { promptRead = .now }
        prompt = []
    }

    private mutating func count(_ tokens: ArraySlice<Int32>) {
        for token in tokens { readBytes += context.model.vocabulary.piece(token).count }
    }

    private mutating func flush() throws(LlamaError) {
        let whole = reply.count - CharacterBuffer.incompleteTail(of: reply)
        guard whole > emitted else { return }
        try emit(String(decoding: reply[emitted..<whole], as: UTF8.self))
        emitted = whole
    }
}
