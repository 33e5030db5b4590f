#pragma once
#include <curl/curl.h>

// `curl_easy_setopt` and `curl_easy_getinfo` are variadic macros: one function for each type of argument.

static inline CURLcode aura_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode aura_curl_set_large(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode aura_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode aura_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*aura_curl_data)(char *, size_t, size_t, void *);
typedef int (*aura_curl_progress)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

static inline CURLcode aura_curl_set_data(CURL *handle, CURLoption option, aura_curl_data function) {
    return curl_easy_setopt(handle, option, function);
}

static inline CURLcode aura_curl_set_progress(CURL *handle, aura_curl_progress function) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, function);
}

static inline long aura_curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/// `CURL_GLOBAL_DEFAULT` is a macro over another.
static inline CURLcode aura_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
