import type { Log } from '@gatehouse/runtime';
import { compile, distinctGroups, Group, GROUPS_MAX, Optional, Type, type Static } from '@gatehouse/schema';

const Name = () => Type.String({ minLength: 1, maxLength: 500 });

/** Names that become groups: those in `map` under another label, in `allow` as they are, others with the `prefix`. */
export const GroupRules = Type.Object({
  claim: Type.String({ minLength: 1, maxLength: 100 }),
  map: Type.Optional(Type.Record(Name(), Group())),
  allow: Type.Optional(Type.Array(Name(), { maxItems: 1000 })),
  prefix: Optional.String({ pattern: /^[^\p{C}\p{Z},]*$/u.source, maxLength: 50 }),
});
export type GroupRules = Static<typeof GroupRules>;

export interface NamedGroups {
  /**
   * The groups that the claims name, as they are stored. `undefined` if they say nothing about groups: the claim is
   * missing, is left out because of its size (`_claim_names`, OpenID Connect Core §5.6.2; Entra's `hasgroups`), or is no list of
   * names.
   */
  read(claims: Record<string, unknown>): string[] | undefined;
  leftOut(): string[];
}

/** How many names that were left out are remembered, and how much of each. */
const LEFT_OUT_MAX = 50;
const NAME_MAX = 100;

export function createNamedGroups(provider: string, rules: GroupRules | undefined, log: Log): NamedGroups {
  const leftOut = new Set<string>();

  /** Logs each name once, and never what may be the address of a person. */
  const leaveOut = (names: readonly string[]): void => {
    const short = names.map((name) => name.slice(0, NAME_MAX));
    const fresh = distinctGroups(short.filter((name) => !leftOut.has(name))).slice(0, LEFT_OUT_MAX);
    if (fresh.length === 0) return;
    for (const name of fresh) leftOut.add(name);
    for (const name of [...leftOut].slice(0, -LEFT_OUT_MAX)) leftOut.delete(name);
    const groups = fresh.filter((name) => !name.includes('@'));
    log.warn('groups that an identity provider names were left out', { provider, groups });
  };

  return {
    leftOut: () => [...leftOut],
    read: (claims) => {
      // Whoever may say nothing has nothing to say: what it said under earlier settings does not stay.
      if (rules === undefined) return [];
      const names = namesIn(claims, rules);
      if (names === undefined) {
        const facts = { provider, claim: rules.claim };
        log.warn('an identity provider says nothing about groups, and those of the account stay', facts);
        return undefined;
      }
      const labels = names.map((name) => ({ name, label: labelOf(rules, name) }));
      const taken = distinctGroups(labels.flatMap(({ label }) => label ?? [])).slice(0, GROUPS_MAX);
      leaveOut(labels.flatMap(({ name, label }) => (taken.includes(label ?? '') ? [] : [name])));
      return taken;
    },
  };
}

function namesIn(claims: Record<string, unknown>, rules: GroupRules): string[] | undefined {
  const { claim } = rules;
  const given = claims[claim];
  const named: unknown = typeof given === 'string' ? wordsIn(given, rules) : given;
  const names = Array.isArray(named) ? (named as unknown[]) : undefined;
  const elsewhere: unknown = claims['_claim_names'];
  const isElsewhere =
    claims['hasgroups'] === true ||
    (typeof elsewhere === 'object' && elsewhere !== null && claim in elsewhere);
  if (names === undefined || (names.length === 0 && isElsewhere)) return undefined;
  const texts = names.flatMap((name) => (typeof name === 'string' ? name.normalize('NFC') : []));
  // SAML, which knows no empty list, has an empty name in its place.
  return texts.length === 0 && names.length > 0 ? undefined : texts.filter((name) => name.trim() !== '');
}

/**
 * The names in a text. Who is in one group alone may have its name without a list, and it may have commas, as in LDAP.
 * Cognito writes the list of a SAML provider as `[staff, ops]`.
 */
function wordsIn(text: string, rules: GroupRules): string[] {
  if (ownLabelOf(rules, text) !== undefined) return [text];
  const [, list = text] = /^\[(.*)\]$/s.exec(text) ?? [];
  return list.split(',').flatMap((name) => name.trim() || []);
}

const isGroup = compile(Group(), { unknownFields: 'drop' });

function labelOf(rules: GroupRules, name: string): string | undefined {
  const { prefix } = rules;
  const label = ownLabelOf(rules, name) ?? (prefix === undefined ? undefined : `${prefix}${name}`);
  return isGroup(label) === undefined ? label : undefined;
}

/** The label of a name that the settings list. */
function ownLabelOf({ map = {}, allow = [] }: GroupRules, name: string): string | undefined {
  if (Object.hasOwn(map, name)) return map[name];
  return allow.includes(name) ? name : undefined;
}
