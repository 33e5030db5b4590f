#pragma once
#include <curl/curl.h>
#include <dlfcn.h>

// libcurl brings thirty libraries with it: loading them took 4 ms of the 8 that every command takes to
// start. So the program is not linked with it; the first request opens it, by its name, and every
// function is called through here.

#if defined(__APPLE__)
#define AURA_CURL_NAME "libcurl.4.dylib"
#else
#define AURA_CURL_NAME "libcurl.so.4"
#endif

/// Null when there is no libcurl here, or it lacks the function.
static inline void *aura_curl_symbol(const char *name) {
    static void *library;
    void *known = __atomic_load_n(&library, __ATOMIC_ACQUIRE);
    if (!known) {
        // Two threads at once open it twice, which is once.
        known = dlopen(AURA_CURL_NAME, RTLD_NOW | RTLD_LOCAL);
        __atomic_store_n(&library, known, __ATOMIC_RELEASE);
    }
    return known ? dlsym(known, name) : 0;
}

/// The function of that name as its header declares it.
#define AURA_CURL(function) ((__typeof__(&function))aura_curl_symbol(#function))

/// To be called before everything else here, once: fails where libcurl is missing.
static inline CURLcode aura_curl_start(void) {
    if (!aura_curl_symbol("curl_easy_perform")) return CURLE_FAILED_INIT;
    return AURA_CURL(curl_global_init)(CURL_GLOBAL_DEFAULT);
}

static inline CURL *aura_curl_open(void) { return AURA_CURL(curl_easy_init)(); }
static inline void aura_curl_close(CURL *handle) { AURA_CURL(curl_easy_cleanup)(handle); }
static inline CURLcode aura_curl_perform(CURL *handle) { return AURA_CURL(curl_easy_perform)(handle); }
static inline const char *aura_curl_words(CURLcode code) { return AURA_CURL(curl_easy_strerror)(code); }

// `curl_easy_setopt` and `curl_easy_getinfo` are variadic: one function for each type of argument.
#define AURA_CURL_SET ((CURLcode (*)(CURL *, CURLoption, ...))aura_curl_symbol("curl_easy_setopt"))

static inline CURLcode aura_curl_set_number(CURL *handle, CURLoption option, long value) {
    return AURA_CURL_SET(handle, option, value);
}

static inline CURLcode aura_curl_set_large(CURL *handle, CURLoption option, curl_off_t value) {
    return AURA_CURL_SET(handle, option, value);
}

static inline CURLcode aura_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return AURA_CURL_SET(handle, option, value);
}

static inline CURLcode aura_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return AURA_CURL_SET(handle, option, value);
}

typedef size_t (*aura_curl_data)(char *, size_t, size_t, void *);
typedef int (*aura_curl_progress)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

static inline CURLcode aura_curl_set_data(CURL *handle, CURLoption option, aura_curl_data function) {
    return AURA_CURL_SET(handle, option, function);
}

static inline CURLcode aura_curl_set_progress(CURL *handle, aura_curl_progress function) {
    return AURA_CURL_SET(handle, CURLOPT_XFERINFOFUNCTION, function);
}

static inline long aura_curl_status(CURL *handle) {
    typedef CURLcode (*function)(CURL *, CURLINFO, ...);
    long status = 0;
    ((function)aura_curl_symbol("curl_easy_getinfo"))(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
