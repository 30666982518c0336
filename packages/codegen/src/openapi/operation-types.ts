import type { OpenApi } from '@gatehouse/http';
import { answersWithJson, clientOperations, operationsOf } from './client-operations.ts';
import { operationShape, TYPES_HEAD } from './client-types.ts';
import { ALL_ROUTES, nameOf } from './routes.ts';

/** The file with the console's types of calls, as a path from the root. */
const OPERATIONS_FILE = 'packages/web/src/console/api/operations.ts';

/** The calls of the console by method and path: those of `gatehouse-client`, and those that only browsers can make. */
export function operationTypes(document: OpenApi): Map<string, string> {
  const ofClient = new Set(clientOperations(document).map(({ name }) => name));
  const names = consoleRoutes();
  const operations = operationsOf(document, answersWithJson).filter(({ method, path }) =>
    names.has(`${method} ${path}`),
  );
  const used = new Set<string>();
  const rows = operations.map((operation) => {
    const { name, method, path } = operation;
    if (ofClient.has(name)) return `'${method} ${path}': Calls['${name}'];`;
    const shape = operationShape(operation);
    const code = shape.replaceAll(/\/\*\*.*?\*\//gs, '');
    for (const [type] of code.matchAll(/\b[A-Z]\w+/g))
      if (type in document.components.schemas) used.add(type);
    return `'${method} ${path}': ${shape};`;
  });
  const text = `${TYPES_HEAD}
import type { Operations as Calls, ${[...used].toSorted().join(', ')} } from 'gatehouse-client';

/** The calls that the console makes: what they take, and what they answer. */
export interface Operations {
${rows.join('\n')}
}
`;
  return new Map([[OPERATIONS_FILE, text]]);
}

/** All routes of Admin, and the routes of Core about persons. */
function consoleRoutes(): Set<string> {
  return new Set(
    ALL_ROUTES.filter(
      ({ api, route }) => api === 'Admin' || (api === 'Core' && /^\/person\b/.test(route.path)),
    ).map(({ route }) => nameOf(route)),
  );
}
