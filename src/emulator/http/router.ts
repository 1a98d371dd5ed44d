/** The route of a request, with the decoded `{…}` parts of its path in order. */
export interface RouteMatch<Route> {
  readonly route: Route;
  readonly params: readonly string[];
}

/** A function that finds the route for a method and a path, or undefined. */
export function createRouter<Route extends { readonly method: string; readonly path: string }>(
  routes: readonly Route[],
): (method: string, path: string) => RouteMatch<Route> | undefined {
  const table = routes.map((route) => ({ route, parts: route.path.split('/') }));
  return (method, path) => {
    const segments = path.split('/');
    for (const { route, parts } of table) {
      const params = route.method === method ? captureParams(parts, segments) : undefined;
      if (params !== undefined) {
        return { route, params };
      }
    }
    return undefined;
  };
}

/** The decoded `{…}` parts of a path, or undefined if the path doesn't fit. */
function captureParams(parts: readonly string[], segments: readonly string[]): string[] | undefined {
  if (parts.length !== segments.length) {
    return undefined;
  }
  const params: string[] = [];
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? '';
    const isParameter = part.startsWith('{') && segment !== '';
    if (!isParameter && part !== segment) {
      return undefined;
    }
    if (isParameter) {
      params.push(decode(segment));
    }
  }
  return params;
}

// A malformed `%` escape can't be an id. The empty text makes the action respond with 404.
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
