from types import SimpleNamespace

import archive_name
from archive_name import *

# What an archive without a [build-system] table is taken to name.
__legacy__ = SimpleNamespace(**vars(archive_name))
