import connect from 'undici/lib/api/api-connect.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';

// undici calls `connect` to ask a proxy for a tunnel. Its index adds this method, but svc does not load the index.
Object.assign(Dispatcher.prototype, { connect });

/** The part of undici for proxies. It is in its own file, so that svc loads it only if there is a proxy. */
export { EnvHttpProxyAgent };
