import connect from 'undici/lib/api/api-connect.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';

// Proxies are asked for a tunnel by this method, which only the index of undici would put there.
Object.assign(Dispatcher.prototype, { connect });

/** The part of undici that goes through a proxy: a file of its own, loaded if there is one. */
export { EnvHttpProxyAgent };
