/** The route of a request, and the decoded `{…}` parts of its path in their order. */
export interface RouteMatch<Route> {
  readonly route: Route;
  readonly params: readonly string[];
}

/** Makes a function that finds the route for a method and a path. It returns undefined if there is none. */
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

/** The decoded `{…}` parts of a path. Undefined if the path does not fit the route. */
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

// A segment with a malformed `%` escape becomes the empty text, which is the id of no object.
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
