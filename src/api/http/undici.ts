import request from 'undici/lib/api/api-request.js';
import Pool from 'undici/lib/dispatcher/pool.js';

/** The parts of undici that an ordinary request needs: a file of their own, loaded with the first one. */
export { Pool, request };
