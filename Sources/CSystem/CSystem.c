// A target needs one source file; everything here is in the header.
#include "CSystem.h"
