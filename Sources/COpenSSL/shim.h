#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>

/// `OPENSSL_secure_malloc` and its siblings are macros. The arena is locked into memory, left out of core
/// files and fenced by guard pages; where the system grants none, or it is full, this is plain memory.
static inline void aura_prepare_secret_memory(void) { CRYPTO_secure_malloc_init(65536, 32); }
static inline void *aura_secret_memory(size_t count) {
    void *memory = OPENSSL_secure_malloc(count);
    return memory ? memory : OPENSSL_malloc(count);
}
static inline void aura_free_secret(void *memory, size_t count) {
    OPENSSL_secure_clear_free(memory, count);
}
