// Recordings: report::Recorder writes one while a run goes on, record::Reader reads it. A file that cannot be read or written is thrown as
// FileError, one that is no recording as record::Error. Needs sinew::sinew.
#pragma once
#include "sinew/files/errors.h"
#include "sinew/record/reader.h"
#include "sinew/report/recorder.h"
