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
#include <sys/prctl.h>
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

/// Keeps other programs of the same user from reading this process's memory, and the system from writing it to a file.
static inline void aura_hide_memory(void) {
    aura_refuse_core_files();
#if defined(__linux__)
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

/// Overwrites memory in a way that the compiler may not leave out.
static inline void aura_wipe(void *memory, size_t count) {
    volatile unsigned char *bytes = (volatile unsigned char *)memory;
    while (count-- > 0) *bytes++ = 0;
}

/// What is typed is not shown, and neither Ctrl-Z nor Ctrl-\ leaves the terminal so; what was typed before is dropped.
/// The settings until now go to `before`, a `struct termios`: its header here would hide it from who imports both
/// this and the C library. The control characters are a tuple in Swift.
int aura_hide_typing(int fd, void *before);

#if defined(__linux__)
/// The numbers of linux/keyctl.h, whose package may be missing.
static const int aura_process_keyring = -2, aura_user_keyring = -4;
static const int aura_keyctl_revoke = 3, aura_keyctl_setperm = 5, aura_keyctl_link = 8;
static const int aura_keyctl_unlink = 9, aura_keyctl_search = 10, aura_keyctl_read = 11;
static const int aura_keyctl_set_timeout = 15;

/// Adds a key of type "user" and returns its number, or -1.
static inline long aura_add_key(
    const char *description, const void *bytes, size_t count, int32_t keyring
) {
    return syscall(SYS_add_key, "user", description, bytes, count, keyring);
}

/// A `keyctl` whose operands are numbers.
static inline long aura_keyctl(int operation, long first, unsigned long second) {
    return syscall(SYS_keyctl, (long)operation, first, second, 0L, 0L);
}

/// The number of the key of type "user" with this description, or -1.
static inline long aura_search_key(int32_t keyring, const char *description) {
    return syscall(SYS_keyctl, (long)aura_keyctl_search, (long)keyring, "user", description, 0L);
}

/// Copies a key's bytes, as many as there is room for, and returns how many it has, or -1.
static inline long aura_read_key(long key, void *buffer, size_t room) {
    return syscall(SYS_keyctl, (long)aura_keyctl_read, key, buffer, room, 0L);
}
#endif
