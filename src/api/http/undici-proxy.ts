import connect from 'undici/lib/api/api-connect.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';

// Proxies are asked for a tunnel through this method. Only the index of undici would add it.
Object.assign(Dispatcher.prototype, { connect });

/** The part of undici for proxies, in its own file. It is loaded only if there is a proxy. */
export { EnvHttpProxyAgent };
