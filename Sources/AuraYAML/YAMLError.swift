/// Why a text could not be read as YAML. Lines and columns count from 1.
package enum YAMLError: Error, Equatable {
    /// `message` is libyaml's: "mapping values are not allowed in this context".
    case syntax(message: String, line: Int, column: Int)
    case tooLarge(bytes: Int, limit: Int)
    case tooDeep(limit: Int, line: Int, column: Int)
    case tooManyNodes(limit: Int, line: Int, column: Int)
    case outOfMemory

    /// One line, without the place.
    package var message: String {
        switch self {
        case .syntax(let message, _, _): message
        case .tooLarge(let bytes, let limit): "\(bytes) bytes are more than the limit of \(limit)"
        case .tooDeep(let limit, _, _): "nested more than \(limit) levels deep"
        case .tooManyNodes(let limit, _, _): "more than \(limit) values"
        case .outOfMemory: "out of memory"
        }
    }

    package var place: (line: Int, column: Int)? {
        switch self {
        case .syntax(_, let line, let column), .tooDeep(_, let line, let column),
            .tooManyNodes(_, let line, let column):
            (line, column)
        case .tooLarge, .outOfMemory: nil
        }
    }

    /// The text may be fine, but it is bigger than what is read.
    package var isOverLimit: Bool {
        switch self {
        case .tooLarge, .tooDeep, .tooManyNodes: true
        case .syntax, .outOfMemory: false
        }
    }
}
