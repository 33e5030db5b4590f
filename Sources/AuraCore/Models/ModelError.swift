/// Why a model gave no answer.
package enum ModelError: Error, Equatable, Sendable {
    /// No model is set for the role, or its file is gone.
    case missing(role: String, path: String?)
    /// The file is there but no model: cut off, a folder, another format.
    case unusable(path: String, reason: String)
    case notEnoughMemory(path: String, needed: Int64, free: Int64)
    /// The worker ended in the middle of an answer; `detail` tells how (`signal 6`).
    case workerDied(detail: String)
    /// The worker could not be started or reached.
    case workerUnreachable(detail: String)
    case deadlineExceeded(seconds: Int)
    /// The prompt alone has more tokens than the model can read.
    case promptTooLong(tokens: Int, limit: Int)
    /// The model was asked for something this build or model cannot do.
    case refused(String)
}

extension ModelError: Explained {
    package var message: String {
        switch self {
        case .missing(let role, nil): "no \(role) model is set up"
        case .missing(let role, let path?): "the \(role) model is not there: \(path)"
        case .unusable(let path, let reason): "not a usable model: \(path) (\(reason))"
        case .notEnoughMemory(let path, let needed, let free):
            "\(path) needs about \(needed >> 20) MB of memory and \(free >> 20) MB are free"
        case .workerDied(let detail): "the model worker died (\(detail))"
        case .workerUnreachable(let detail): "the model worker cannot be reached (\(detail))"
        case .deadlineExceeded(let seconds): "the model gave no answer within \(seconds) s"
        case .promptTooLong(let tokens, let limit):
            "the prompt has \(tokens) tokens and the model reads \(limit)"
        case .refused(let reason): reason
        }
    }

    package var hint: String? {
        switch self {
        case .missing: "'aura model list' shows what can be had; 'aura model add FILE' takes yours"
        case .unusable: "'aura model info' checks it; 'aura model use NAME' picks another"
        case .notEnoughMemory: "'aura model use NAME' picks a smaller model"
        case .workerDied: "try again; 'aura doctor' checks the model"
        case .workerUnreachable: "'aura doctor' tells more"
        case .deadlineExceeded: "try again, or pick a smaller model with 'aura model use NAME'"
        case .promptTooLong: "ask about less, or set a larger model.context"
        case .refused: nil
        }
    }
}
