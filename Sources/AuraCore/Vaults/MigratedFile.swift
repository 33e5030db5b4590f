internal import AuraCrypto
internal import AuraSystem

/// One thing of a home that has a form in both kinds.
struct MigratedFile {
    enum Kind: Hashable {
        /// A note or whatever else lies below the vaults, by its logical path.
        case file(path: String)
        /// A removed note: its key, and where it lay.
        case trash(key: String, path: String)
        case journal(month: String, id: String)
        /// A transcript or a draft: its folder below `.aura`, and its name in a plain home.
        case other(folder: String, name: String)
    }

    let kind: Kind
    /// Where it lies, absolute.
    let place: String
    let status: FileStatus

    /// The same for its two forms. ASCII alone: two paths that differ only in how an accent is written are equal as
    /// text and are two files.
    var key: String {
        var text: [UInt8] = []
        for byte in name(ofKind: kind).utf8 {
            if byte < 0x80, byte != UInt8(ascii: "%") {
                text.append(byte)
            } else {
                text += Array("%\([byte].hexadecimal)".utf8)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func name(ofKind kind: Kind) -> String {
        switch kind {
        case .file(let path): "file:\(path)"
        case .trash(let key, let path): "trash:\(key):\(path)"
        case .journal(let month, let id): "journal:\(month)/\(id)"
        case .other(let folder, let name): "\(folder):\(name)"
        }
    }

    /// What a person would call it.
    var name: String {
        switch kind {
        case .file(let path): path
        case .trash(_, let path): "\(path) (in the trash)"
        case .journal(let month, let id): ".aura/journal/\(month)/\(id)"
        case .other(let folder, let name): ".aura/\(folder)/\(name)"
        }
    }

    /// What is written into the sealed file beside its bytes.
    var label: String? {
        switch kind {
        case .file(let path), .trash(_, let path): path
        case .journal, .other: nil
        }
    }

    var isNote: Bool {
        if case .file(let path) = kind { return VaultLayout.isNote(path) }
        return false
    }
}

/// What could not be copied, or stays as it is.
package struct MigrationRemark: Hashable, Sendable {
    package let path: String
    package let text: String
    /// It is none of ours: another program's, or beside the vaults.
    package var isForeign = false
}

// MARK: - The plain form

/// Lists what a migration copies, in either form of a home. Both forms may be there at once.
struct MigratedFiles {
    let plain: NoteFiles
    let sealed: NoteFiles
    private var layout: VaultLayout { plain.layout }
    /// Labels that were read before, by place: reading one takes a key agreement.
    private var labels: [String: (status: FileStatus, path: String)] = [:]
    /// Of the last listing.
    private(set) var remarks: Set<MigrationRemark> = []
    /// Sealed files under a name that is not their path's, relative to the home.
    private(set) var misplaced: [String] = []

    init(plain: NoteFiles, sealed: NoteFiles) {
        self.plain = plain
        self.sealed = sealed
    }

    private static let otherFolders = ["raw", "drafts"]

    mutating func list(_ sealing: VaultHome.Sealing) throws -> [MigratedFile] {
        remarks = []
        misplaced = []
        return try sealing == .plain ? plainFiles() : sealedFiles()
    }

    private mutating func remark(_ path: String, _ text: String, isForeign: Bool = false) {
        remarks.insert(MigrationRemark(path: path, text: text, isForeign: isForeign))
    }

    private mutating func remarkOtherProgram(_ path: String) {
        remark(path, "a folder of another program; left as it is", isForeign: true)
    }

    private mutating func plainFiles() throws -> [MigratedFile] {
        var found: [MigratedFile] = []
        var folders: [String] = []
        for entry in try Files.entries(of: layout.root) {
            switch entry.status.kind {
            case .folder where !entry.name.hasPrefix("."): folders.append(entry.name)
            case .folder where entry.name != ".aura":
                remarkOtherProgram(entry.name)
            case .folder: continue
            default:
                if !entry.name.hasPrefix(".") {
                    remark(entry.name, "in no vault; left as it is", isForeign: true)
                }
            }
        }
        while let folder = folders.popLast() {
            for entry in try entries("\(layout.root)/\(folder)") {
                let path = "\(folder)/\(entry.name)"
                guard !entry.name.hasPrefix(".") else {
                    if entry.status.kind == .folder {
                        remarkOtherProgram(path)
                    }
                    continue
                }
                switch entry.status.kind {
                case .folder: folders.append(path)
                case .regular where MigratedFiles.isSealedName(entry.name, in: folder): continue
                case .regular where VaultLayout.isSafe(path):
                    found.append(file(.file(path: path), "\(layout.root)/\(path)", entry.status))
                case .regular: remark(path, "aura cannot keep that name; left as it is")
                default: remark(path, "a link or a device; left as it is")
                }
            }
        }
        let trash = try entries(layout.trash).filter { $0.status.kind == .folder }
        for (key, _) in trash {
            let place = "\(layout.trash)/\(key)/note.md"
            guard let status = try Files.status(of: place) else { continue }
            guard let bytes = try? Files.bytes(at: "\(layout.trash)/\(key)/item.json"),
                let path = JSONValue.read(bytes)?["path"]?.text, VaultLayout.isSafe(path)
            else {
                remark(".aura/trash/\(key)", "it does not say where it lay; left as it is")
                continue
            }
            found.append(file(.trash(key: key, path: path), place, status))
        }
        return try found + journalFiles(".json") + otherFiles(isSealed: false)
    }

    /// Whether a name is one that `HomeKeys.name(of:)` makes.
    private static func isSealedName(_ name: String, in folder: String) -> Bool {
        guard folder == VaultLayout.sealedNotes || folder == VaultLayout.sealedAttachments else {
            return false
        }
        let stem = name.prefix { $0 != "." }
        let ending = name.dropFirst(stem.count)
        return stem.count == 26
            && stem.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x32...0x37).contains($0) }
            && (ending == ".md\(FileSeal.ending)" || ending == FileSeal.ending)
    }

    // MARK: The sealed form

    private mutating func sealedFiles() throws -> [MigratedFile] {
        var found: [MigratedFile] = []
        for folder in [VaultLayout.sealedNotes, VaultLayout.sealedAttachments] {
            for entry in try entries("\(layout.root)/\(folder)")
            where entry.status.kind == .regular && entry.name.hasSuffix(FileSeal.ending) {
                let name = "\(folder)/\(entry.name)"
                guard !entry.name.hasPrefix("."),
                    let path = try label("\(layout.root)/\(name)", name, entry.status)
                else {
                    continue
                }
                guard try sealed.name(of: path) == name else {
                    misplaced.append(name)
                    remark(name, "it does not lie where its path says; left as it is")
                    continue
                }
                found.append(file(.file(path: path), "\(layout.root)/\(name)", entry.status))
            }
        }
        let ending = ".md\(FileSeal.ending)"
        for entry in try entries(layout.trash)
        where entry.status.kind == .regular && entry.name.hasSuffix(ending)
            && !entry.name.hasPrefix(".")
        {
            let place = "\(layout.trash)/\(entry.name)"
            guard let path = try label(place, ".aura/trash/\(entry.name)", entry.status) else {
                continue
            }
            let key = String(entry.name.dropLast(ending.utf8.count))
            found.append(file(.trash(key: key, path: path), place, entry.status))
        }
        return try found + journalFiles(".json\(FileSeal.ending)") + otherFiles(isSealed: true)
    }

    /// Nil, with a remark, where the file does not open.
    private mutating func label(
        _ place: String, _ name: String, _ status: FileStatus
    ) throws -> String? {
        if let known = labels[place], known.status == status { return known.path }
        guard let seal = sealed.seal else { return nil }
        do {
            let beginning = try Files.bytes(at: place, limit: AgeHeader.maximumLength)
            guard let path = try seal.label(beginning, name: name), VaultLayout.isSafe(path) else {
                remark(name, "it does not say where it belongs; left as it is")
                return nil
            }
            labels[place] = (status, path)
            return path
        } catch let error as SealError {
            if error == .locked { throw error }
            remark(name, "\(error.message); left as it is")
            return nil
        } catch let error as SystemError where error.isNotFound {
            return nil
        }
    }

    // MARK: Both

    private mutating func journalFiles(_ ending: String) throws -> [MigratedFile] {
        var found: [MigratedFile] = []
        for month in try entries(layout.journal) where month.status.kind == .folder {
            let folder = "\(layout.journal)/\(month.name)"
            for entry in try entries(folder)
            where entry.status.kind == .regular && entry.name.hasSuffix(ending)
                && !entry.name.hasPrefix(".")
            {
                guard NoteID(entry.name.prefix(26)) != nil else {
                    remark(
                        ".aura/journal/\(month.name)/\(entry.name)",
                        "it is no journal entry; left as it is")
                    continue
                }
                let id = String(entry.name.prefix(26))
                found.append(
                    file(
                        .journal(month: month.name, id: id), "\(folder)/\(entry.name)", entry.status
                    ))
            }
        }
        return found
    }

    private func otherFiles(isSealed: Bool) throws -> [MigratedFile] {
        try MigratedFiles.otherFolders.flatMap { folder in
            try entries("\(layout.settingsFolder)/\(folder)").compactMap { entry in
                guard entry.status.kind == .regular, !entry.name.hasPrefix("."),
                    entry.name.hasSuffix(FileSeal.ending) == isSealed
                else { return nil }
                let name =
                    isSealed ? String(entry.name.dropLast(FileSeal.ending.count)) : entry.name
                return file(
                    .other(folder: folder, name: name),
                    "\(layout.settingsFolder)/\(folder)/\(entry.name)", entry.status)
            }
        }
    }

    private func file(
        _ kind: MigratedFile.Kind, _ place: String, _ status: FileStatus
    ) -> MigratedFile {
        MigratedFile(kind: kind, place: place, status: status)
    }

    /// None of a folder that is not there.
    private func entries(_ folder: String) throws -> [(name: String, status: FileStatus)] {
        do {
            return try Files.entries(of: folder)
        } catch {
            if error.isNotFound { return [] }
            throw error
        }
    }
}
