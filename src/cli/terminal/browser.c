// Opens a file in the browser: $BROWSER, or the first of the usual commands that is there.
// SPDX-License-Identifier: MIT
#include "cli/terminal/browser.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Is there such a program on the PATH?
static bool is_there(const char* command) {
    if (strchr(command, '/')) return access(command, X_OK) == 0;
    const char* at = getenv("PATH");
    char path[4096];
    while (at && *at) {
        size_t length = strcspn(at, ":");
        int size = snprintf(path, sizeof path, "%.*s/%s", (int)length, length ? at : ".", command);
        if (size > 0 && (size_t)size < sizeof path && access(path, X_OK) == 0) return true;
        at += length + (at[length] == ':');
    }
    return false;
}

// A child of a child: nobody has to wait for the browser, and it does not write over the terminal.
static bool start(const char* command, const char* path) {
    pid_t child = fork();
    if (child == 0) {
        pid_t browser = fork();
        if (browser != 0) _exit(browser > 0 ? 0 : 1);
        int nothing = open("/dev/null", O_RDWR);
        if (nothing >= 0) {
            dup2(nothing, 0);
            dup2(nothing, 1);
            dup2(nothing, 2);
        }
        setsid();
        signal(SIGPIPE, SIG_DFL);  // what this program ignores
        signal(SIGXFSZ, SIG_DFL);
        execlp(command, command, path, (char*)NULL);
        _exit(127);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

const char* lia_browser_open(const char* path) {
    static const char* const usual[] = {"xdg-open", "open",    "sensible-browser", "firefox",
                                        "chromium", "wslview", "google-chrome"};
    const char* chosen = getenv("BROWSER");
    if (chosen && *chosen) return is_there(chosen) && start(chosen, path) ? chosen : NULL;
    bool screen = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        // `open` and `wslview` need no display of that kind
        bool possible = screen || strcmp(usual[i], "open") == 0 || strcmp(usual[i], "wslview") == 0;
#ifndef __APPLE__
        possible = possible && strcmp(usual[i], "open") != 0;
#endif
        if (possible && is_there(usual[i])) return start(usual[i], path) ? usual[i] : NULL;
    }
    return NULL;
}
