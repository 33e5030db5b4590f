/// Something in a note's file that was not read as it is written, or not at all.
///
/// The file is fine as far as aura is concerned; `aura doctor` lists these.
package enum NoteWarning: Hashable, Sendable {
    /// `---` begins the file and nothing ends the block.
    case unterminated
    /// No end within the first 64 KiB, more than 1,000 values, or nested deeper than 16.
    case overLimit
    /// The block is not YAML; `message` is the parser's.
    case unreadable(message: String, line: Int)
    /// Between two lines `---` stands something else than `key: value`.
    case noFields
    /// `+++` begins the file.
    case isTOML
    case repeatedKey(String, line: Int)
    /// A key that is a list or a mapping itself.
    case strangeKey(line: Int)
    case moreDocuments
    /// Text after `#` is a comment to YAML; it was taken for the value.
    case hashTags(line: Int)
    /// The value is not of the kind that the key takes, and was read as if it were absent.
    case unusable(key: String, value: String, line: Int)
    /// `*name` is not followed.
    case alias(key: String, line: Int)
    case longTitle(line: Int)
}

extension NoteWarning {
    /// One line, to follow the note's path.
    package var message: String {
        switch self {
        case .unterminated: "'---' at the top is not closed by another '---'"
        case .overLimit:
            "the front matter is larger than aura reads (64 KiB, 1,000 values, depth 16)"
        case .unreadable(let message, let line): "line \(line): \(message)"
        case .noFields: "there are no 'key: value' lines between the first two '---'"
        case .isTOML: "front matter in TOML (+++) is not read"
        case .repeatedKey(let key, let line):
            "line \(line): '\(key)' is there twice; the first counts"
        case .strangeKey(let line): "line \(line): a key is not a word"
        case .moreDocuments: "the front matter holds more than one YAML document"
        case .hashTags(let line):
            "line \(line): '#' starts a comment in YAML; the words behind it were read as tags"
        case .unusable(let key, let value, let line):
            "line \(line): '\(value.prefix(bytes: 40))' is no value for '\(key)'"
        case .alias(let key, let line):
            "line \(line): '\(key)' refers to an anchor, which is not read"
        case .longTitle(let line): "line \(line): the title is cut for display"
        }
    }
}
