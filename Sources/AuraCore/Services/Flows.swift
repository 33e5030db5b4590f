internal import AuraSystem

/// Models and the flows that use them.
extension Services {
    /// The chat model; nil when none is set up.
    package var generator: (any TextGenerator)? {
        guard let worker, worker.setup.chatModel != nil else { return nil }
        return worker
    }

    package var embedder: WorkerEmbedder? {
        guard let worker, worker.setup.embeddingModel != nil else { return nil }
        return worker.embedder
    }

    /// What the models of this run cost so far.
    package var modelStatistics: ReplyStatistics { worker?.statistics ?? ReplyStatistics() }

    package func enrichment(_ workspace: Workspace) -> Enrichment {
        Enrichment(
            changes: workspace.changes, generator: generator, now: now, zone: zone,
            customs: dateCustoms, polishes: settings.polishesSpeech)
    }

    /// Nil when classification is switched off for background work.
    package func worker(
        for workspace: Workspace, urgency: Sampling.Urgency
    ) -> Worker? {
        if urgency == .background {
            guard settings.enrichesAfterCapture, settings.enrichesOnBattery || !Host.isOnBattery
            else { return nil }
        }
        return Worker(
            enrichment: enrichment(workspace), sampling: Sampling(urgency: urgency),
            dataFolder: workspace.dataFolder,
            pending: {
                let store = try await freshStore(workspace) { _ in }
                var filter = NoteFilter()
                filter.isPending = true
                return try await store.list(filter, order: .oldestFirst).map(\.path)
            },
            finish: {
                // Nobody waits for this: what a command leaves undone is done here.
                let store = try await freshStore(workspace, thorough: true) { _ in }
                while try await store.mergeSegments() {}
                try await embedMissing(workspace, store)
            })
    }

    /// Starts the background worker of this home; it outlives the terminal. Failing to is no error:
    /// the next capture tries again.
    package func startWorker() {
        guard settings.enrichesAfterCapture, let programPath else { return }
        var recipe = ChildProcess.Recipe(
            programPath, ["work", "--vault-dir", homePath], environment: environment)
        recipe.folder = "/"
        recipe.isDetached = true
        recipe.isLowPriority = true
        _ = try? ChildProcess.start(recipe)
    }

    package func distill(_ workspace: Workspace, _ generator: (any TextGenerator)?) -> Distill {
        Distill(
            changes: workspace.changes, generator: generator, now: now, zone: zone, newID: newID)
    }
}

extension Services {
    /// Ends the model server, where one runs.
    package func stopModels() async { await worker?.stopServer() }

    /// What the model server is and has loaded; nil when none runs.
    package func modelServerStatus() async -> WorkerMessage.Status? { await worker?.status() }
}

extension Services {
    package var models: ModelStore { ModelStore(folder: places.modelsFolder) }
}
