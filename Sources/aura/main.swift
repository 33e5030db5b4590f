import AuraCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

if CommandLine.arguments.count > 1, CommandLine.arguments[1] == "model-worker" {
    exit(ModelServer.run(arguments: Array(CommandLine.arguments.dropFirst(2))))
}
print("aura")
