#!/bin/sh
# Started instead of workerd: writes its process id for `guardRuntime` (runtime.ts), then becomes it.
echo $$ >"$LOCAL_WORKERD_PID_FILE"
exec "$LOCAL_WORKERD_PATH" "$@"
