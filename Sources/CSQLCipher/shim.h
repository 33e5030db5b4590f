#pragma once
// The header of SQLCipher: the include folder comes from sqlcipher.pc, so that a system sqlite3.h is never taken.
#include <sqlite3.h>
