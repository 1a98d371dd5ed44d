import request from 'undici/lib/api/api-request.js';
import Pool from 'undici/lib/dispatcher/pool.js';

/**
 * The parts of undici that each request needs. They are in their own file, so that svc loads them at the first request.
 */
export { Pool, request };
