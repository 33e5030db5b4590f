from archive_name import *
