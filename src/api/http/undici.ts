import request from 'undici/lib/api/api-request.js';
import Pool from 'undici/lib/dispatcher/pool.js';

/** The parts of undici that a request needs, in one file that is loaded with the first request. */
export { Pool, request };
