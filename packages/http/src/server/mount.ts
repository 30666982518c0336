import type { Express, NextFunction, Request, Response } from 'express';
import { ApiError } from '../errors.ts';
import { Exchange } from '../request/exchange.ts';
import { STANDING_HEADERS, withHeaders } from '../request/headers.ts';
import { preflightHeaders } from './cors.ts';
import type { Prepared } from './prepare.ts';
import { serve, type Frame } from './serve.ts';

/** Adds the routes to the app, and then the responses to unknown paths and methods. */
export function mount<Deps>(app: Express, routes: readonly Prepared<Deps>[], frame: Frame<Deps>): void {
  const table = createPathTable(routes);

  // Paths without parameters need one look-up; Express’s router would try one expression after another.
  app.use((message: Request, response: Response, next: NextFunction) => {
    const prepared = table.find(message.method, message.url);
    if (prepared !== undefined) return void serve(prepared, frame, message, response);
    const found = table.methodsAt(message.url);
    if (found.size === 0) next();
    else answerUnrouted(frame, message, response, [...found.keys()], [...found.values()]);
  });
  for (const group of table.patterns) {
    for (const prepared of group) {
      app[prepared.route.method](prepared.route.path, (message: Request, response: Response) => {
        void serve(prepared, frame, message, response);
      });
    }
    // Responds before the next pattern is tried: a fixed segment must not match as a parameter of another path.
    const methods = group.flatMap(methodsOf);
    for (const path of new Set(group.map(({ route }) => route.path))) {
      app.all(path, (message: Request, response: Response) => {
        answerUnrouted(frame, message, response, methods);
      });
    }
  }
  app.use((message: Request, response: Response) => {
    answerUnrouted(frame, message, response, []);
  });
}

/** Responds to requests without a route: 404, or 405 and OPTIONS if the path has other methods. */
function answerUnrouted<Deps>(
  frame: Frame<Deps>,
  message: Request,
  response: Response,
  found: string[],
  prepared: readonly Prepared<Deps>[] = [],
): void {
  const exchange = new Exchange(
    frame.traffic,
    found.length === 0 ? 'unknown' : 'other method',
    message,
    response,
  );
  const methods = [...new Set(found), 'OPTIONS'].toSorted().join(', ');
  if (found.length === 0) exchange.refuse(new ApiError('not_found', 'No endpoint at this path'));
  else if (message.method === 'OPTIONS') {
    const isForAny = prepared.some(({ rules }) => rules.cors === 'any');
    if (isForAny) exchange.rules = { cors: 'any' };
    const preflight = isForAny
      ? preflightHeaders(methods)
      : frame.traffic.cors.preflight(message.headers.origin, methods);
    exchange.answer(204, [...withHeaders(STANDING_HEADERS, { Allow: methods }), ...preflight], undefined);
  } else exchange.refuse(new ApiError('method_not_allowed', undefined, { headers: { Allow: methods } }));
}

/**
 * The routes by path. Those without parameters are found by one look-up. Those with parameters are in the order in
 * which a router must try them, a fixed segment before a parameter, grouped by path.
 *
 * @throws {Error} if one request could match two routes.
 */
function createPathTable<Deps>(entries: readonly Prepared<Deps>[]) {
  const byPath = new Map<string, Map<string, Prepared<Deps>>>();
  for (const entry of entries) {
    const { method, path } = entry.route;
    const methods = byPath.get(shapeOf(path)) ?? new Map<string, Prepared<Deps>>();
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
    find: (method: string, url: string): Prepared<Deps> | undefined =>
      (byPath.get(url) ?? byPath.get(pathOf(url)))?.get(method),
    methodsAt: (url: string) => byPath.get(pathOf(url)) ?? new Map<string, Prepared<Deps>>(),
  };
}

/** The methods that a route responds to. */
function methodsOf<Deps>({ route }: Prepared<Deps>): string[] {
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
