// Linked into `sinew` alone; sinew-view has server/serve.cpp instead.
#include "cli/web_view.h"

namespace cli {

const WebView* const web_view = nullptr;

}  // namespace cli
