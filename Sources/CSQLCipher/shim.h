#pragma once
// SQLCipher's header (the include folder comes from sqlcipher.pc); sqlite3_key is declared only with this.
#define SQLITE_HAS_CODEC 1
#include <sqlite3.h>

// Variadic in C, so Swift cannot call it.
static inline int aura_sqlite_switch(sqlite3 *connection, int option, int on) {
    return sqlite3_db_config(connection, option, on, (int *)0);
}

// SQLITE_TRANSIENT is a macro around a cast that Swift does not import.
static inline int aura_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

static inline int aura_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}
