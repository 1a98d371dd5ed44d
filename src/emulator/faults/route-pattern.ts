import { MCP_PATH } from '../mcp/mcp.ts';
import { ROUTES } from '../routes/table.ts';

// Each route that the emulator serves, such as `GET /v1/audiences/{`. The `{` stands for one part of a path.
const SERVED: readonly string[] = [
  ...ROUTES.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{')}`),
  ...['GET', 'POST', 'DELETE'].map((method) => `${method} ${MCP_PATH}`),
];

/** True if the route pattern of a fault rule fits a route that the emulator serves. */
export function fitsServedRoute(pattern: string): boolean {
  return pattern === '*' || SERVED.some((route) => overlaps(pattern, route));
}

/**
 * True if there is a text that fits both. `*` in the pattern stands for any text, `{` in the route for one part of a
 * path.
 */
function overlaps(pattern: string, route: string): boolean {
  // The positions in `route` that the part of the pattern read so far can end at, in ascending order.
  let reached: readonly number[] = [0];
  for (const sign of pattern) {
    const [first = Number.POSITIVE_INFINITY] = reached;
    const next = sign === '*' ? positionsFrom(first, route) : reached.flatMap((at) => positionsAfter(sign, at, route));
    reached = [...new Set(next)];
  }
  return reached.includes(route.length);
}

function positionsFrom(first: number, route: string): number[] {
  return Array.from({ length: Math.max(0, route.length + 1 - first) }, (_, index) => first + index);
}

function positionsAfter(sign: string, at: number, route: string): number[] {
  if (route[at] === '{') {
    return sign === '/' ? [] : [at, at + 1];
  }
  return route[at] === sign ? [at + 1] : [];
}
