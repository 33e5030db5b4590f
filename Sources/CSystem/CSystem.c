// What the headers that others import must not draw in. All the rest is in the header.
#include "CSystem.h"

#include <termios.h>

int aura_hide_typing(int fd, void *before) {
    struct termios settings;
    if (tcgetattr(fd, &settings) != 0) return -1;
    *(struct termios *)before = settings;
    settings.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
    settings.c_lflag |= ICANON | ISIG;
    settings.c_cc[VSUSP] = _POSIX_VDISABLE;
    settings.c_cc[VQUIT] = _POSIX_VDISABLE;
    // Never waits for output that somebody holds back, as TCSAFLUSH would.
    tcflush(fd, TCIFLUSH);
    return tcsetattr(fd, TCSANOW, &settings);
}
