#pragma once
// SQLCipher's header (the include folder comes from sqlcipher.pc); sqlite3_key is declared only with this.
#define SQLITE_HAS_CODEC 1
#include <sqlite3.h>
