#pragma once
// Sockets, processes and memory: what Swift cannot import of them.

#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

/// The user at the other end of a connected local socket, or -1. `struct ucred` hides behind a macro.
static inline int64_t aura_peer_user(int fd) {
#if defined(__linux__)
    struct { int32_t pid; uint32_t uid; uint32_t gid; } peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || size != sizeof peer) return -1;
    return peer.uid;
#else
    uid_t user;
    gid_t group;
    return getpeereid(fd, &user, &group) == 0 ? (int64_t)user : -1;
#endif
}

/// The process at the other end, or -1 where the system does not tell.
static inline int64_t aura_peer_process(int fd) {
#if defined(__linux__)
    struct { int32_t pid; uint32_t uid; uint32_t gid; } peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || size != sizeof peer) return -1;
    return peer.pid;
#else
    (void)fd;
    return -1;
#endif
}

/// `WIFEXITED` and its siblings are macros: the exit code, or 256 + the signal.
static inline int aura_exit_code(int status) {
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (WIFSIGNALED(status)) return 256 + WTERMSIG(status);
    return -1;
}

/// `SIG_IGN` is a cast macro.
static inline void aura_ignore_signal(int number) { signal(number, SIG_IGN); }

/// `SIG_DFL` too.
static inline void aura_reset_signal(int number) { signal(number, SIG_DFL); }

/// A crash leaves no copy of the memory behind.
static inline void aura_refuse_core_files(void) {
    struct rlimit limit = {.rlim_cur = 0, .rlim_max = 0};
    setrlimit(RLIMIT_CORE, &limit);
}

/// The resource's type is an enum in one C library and an int in another.
static inline int aura_limit_address_space(uint64_t bytes) {
    struct rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
    return setrlimit(RLIMIT_AS, &limit);
}

/// Lowers the calling thread on Linux (threads it starts inherit that); elsewhere nothing.
static inline void aura_lower_thread(int nice) {
#if defined(__linux__)
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice);
#else
    (void)nice;
#endif
}

/// Lowers another process of ours.
static inline void aura_lower_process(pid_t process, int nice) {
    setpriority(PRIO_PROCESS, (id_t)process, nice);
}

/// Everything above standard error stays closed in the child. Not in every C library's headers.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);

static inline void aura_spawn_close_rest(posix_spawn_file_actions_t *actions) {
#if defined(__linux__)
    posix_spawn_file_actions_addclosefrom_np(actions, 3);
#else
    (void)actions;
#endif
}

static inline void aura_spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder) {
#if defined(__linux__)
    posix_spawn_file_actions_addchdir_np(actions, folder);
#else
    (void)actions;
    (void)folder;
#endif
}

/// `POSIX_SPAWN_SETSID` needs `_GNU_SOURCE`.
static inline short aura_spawn_new_session(void) { return 0x80; }
