#pragma once
// What Swift cannot import of the C library: variadic calls and macros.

#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CSystemProcess.h"

/// `openat` is variadic in C.
static inline int aura_openat(int folder, const char *path, int flags, mode_t mode) {
    return openat(folder, path, flags, mode);
}

/// `fcntl` is variadic in C.
static inline int aura_fcntl(int fd, int command, int argument) {
    return fcntl(fd, command, argument);
}

/// `ioctl` is variadic in C. Columns of a terminal, or 0 when `fd` is none.
static inline int aura_terminal_columns(int fd) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col;
}

/// `S_ISREG` and its siblings are macros.
static inline int aura_is_regular(mode_t mode) { return S_ISREG(mode); }
static inline int aura_is_folder(mode_t mode) { return S_ISDIR(mode); }
static inline int aura_is_link(mode_t mode) { return S_ISLNK(mode); }

/// The field has another name on each system.
static inline int64_t aura_modified_nanoseconds(const struct stat *status) {
#if defined(__APPLE__)
    return (int64_t)status->st_mtimespec.tv_sec * 1000000000 + status->st_mtimespec.tv_nsec;
#else
    return (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
#endif
}
