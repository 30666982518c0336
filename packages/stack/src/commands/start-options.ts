import { parseArgs } from 'node:util';
import { SCALE_MAX } from '../servers/ports.ts';
import { StackError } from '../output/stack-error.ts';

/** What `npm start` may be told. */
interface StartOptions {
  fresh: boolean;
  scale: number;
  redisCluster: boolean;
}

const HELP = `Brings the whole system up on this machine and keeps it running until Ctrl-C, or until npm stop.

  npm start
  npm start -- --fresh

  --fresh          begins anew: the data of earlier runs is removed
  --scale N        N instances of each service behind the gateway, 1 to 4; 1 without it
  --redis-cluster  three nodes of Redis as a cluster
  --help           shows this text

  PORT_BASE=20000 npm start   moves every port (gateway 20080, Admin 20090, mail inbox 21080, …)

Settings in the environment reach the services and the gateway; README.md, "Configuration", lists them.
`;

const OPTIONS = {
  fresh: { type: 'boolean', default: false },
  scale: { type: 'string', default: '1' },
  'redis-cluster': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * Reads the arguments of `npm start`; gives the text to show where help is asked for.
 *
 * @throws {StackError} naming what is not understood.
 */
export function readStartOptions(args: string[], environment: NodeJS.ProcessEnv): StartOptions | string {
  const { values, tokens } = parseArgs({ args, options: OPTIONS, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional') throw refusal(`npm start takes options alone, not "${token.value}"`);
    if (token.kind === 'option' && !(token.name in OPTIONS)) {
      throw refusal(`There is no option ${token.rawName}`);
    }
    if (token.kind === 'option' && token.name !== 'scale' && token.value !== undefined) {
      throw refusal(`${token.rawName} takes no value`);
    }
  }
  if (values.help === true) return HELP;
  for (const name of Object.keys(OPTIONS)) {
    if (environment[`npm_config_${name.replaceAll('-', '_')}`] === undefined) continue;
    throw refusal(`npm kept --${name} for itself, as there is no -- before it`);
  }
  const scale = Number(values.scale);
  if (values.scale === true || !Number.isInteger(scale) || scale < 1 || scale > SCALE_MAX) {
    throw refusal(`--scale must be a whole number from 1 to ${SCALE_MAX}`);
  }
  return { fresh: values.fresh === true, scale, redisCluster: values['redis-cluster'] === true };
}

function refusal(message: string): StackError {
  return new StackError(
    message,
    `npm start -- [--fresh] [--scale 1 to ${SCALE_MAX}] [--redis-cluster] (npm start -- --help)`,
  );
}
