import { readFileSync } from 'node:fs';
import { ROOT } from '../chart-files.ts';

/** What an image gives to its container. */
export interface Image {
  env: Record<string, string>;
  workdir: string;
  command: string[];
  /** What is copied into it from the repository: sources and places. */
  copies: [string, string][];
}

/** The image that a Dockerfile of the repository makes, as far as its last stage says. */
export function imageOf(dockerfile: string): Image {
  const text = readFileSync(new URL(dockerfile, ROOT), 'utf8').replaceAll('\\\n', ' ');
  const stage = text.slice(text.lastIndexOf('\nFROM '));
  const of = (instruction: string): string[] =>
    [...stage.matchAll(new RegExp(`^${instruction} (.+)$`, 'gm'))].map(([, rest = '']) => rest);
  const words = (instruction: string): string[] =>
    of(instruction).flatMap((list) => JSON.parse(list) as string[]); // both are in their JSON form
  return {
    env: Object.fromEntries(
      of('ENV').flatMap((line) =>
        [...line.matchAll(/\b([A-Z]\w{0,60})=(?:"([^"]*)"|(\S*))/g)].map(
          ([, name = '', quoted, plain = '']) => [name, quoted ?? plain],
        ),
      ),
    ),
    workdir: of('WORKDIR').at(-1) ?? '/',
    command: [...words('ENTRYPOINT'), ...words('CMD')],
    copies: of('COPY').map((line): [string, string] => {
      const [from = '', to = ''] = line.split(' ').filter((word) => !word.startsWith('--'));
      return [from, to];
    }),
  };
}
