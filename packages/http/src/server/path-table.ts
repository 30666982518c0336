import type { Route } from '../route.ts';

interface Entry {
  route: Pick<Route<never>, 'method' | 'path'>;
}

/**
 * The routes by path. Those without parameters are found by one look-up. Those with parameters are in the order in
 * which a router must try them, a fixed segment before a parameter, grouped by path.
 *
 * @throws {Error} if one request could match two routes.
 */
export function createPathTable<T extends Entry>(entries: readonly T[]) {
  const byPath = new Map<string, Map<string, T>>();
  for (const entry of entries) {
    const { method, path } = entry.route;
    const methods = byPath.get(shapeOf(path)) ?? new Map<string, T>();
    if (methods.has(method.toUpperCase()))
      throw new Error(`${method.toUpperCase()} ${path} stands for two routes`);
    for (const name of methodsOf(entry)) methods.set(name, entry);
    byPath.set(shapeOf(path), methods);
  }
  const patterns = [...byPath.keys()]
    .filter((shape) => shape.includes(PARAMETER))
    .toSorted()
    .map((shape) => entries.filter(({ route }) => shapeOf(route.path) === shape));
  return {
    patterns,
    find: (method: string, url: string): T | undefined =>
      (byPath.get(url) ?? byPath.get(pathOf(url)))?.get(method),
    methodsAt: (url: string): ReadonlyMap<string, T> => byPath.get(pathOf(url)) ?? new Map<string, T>(),
  };
}

/** The methods that a route responds to. */
export function methodsOf({ route }: Entry): string[] {
  return route.method === 'get' ? ['GET', 'HEAD'] : [route.method.toUpperCase()];
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

const PARAMETER = '\uffff';

/** The path with each parameter replaced by a character that no URL contains and that sorts last. */
function shapeOf(path: string): string {
  return path.replaceAll(/:\w+/g, PARAMETER);
}
