import { ConfigError } from '@gatehouse/runtime';
import type { Account } from '@gatehouse/db';
import type { AccountSettings } from '../../settings/account-settings.ts';

/** How many sessions of each kind an account may have, if it may not have any number of them. */
export interface SessionSlots {
  /** By tag. Without tags, one slot of the tag `''`. */
  perTag: ReadonlyMap<string, number>;
  /** The tag of logins that ask for none, and of the account pages and the console. */
  standard: string;
  /** Whether a login is refused while every slot is taken, until it asks to take one over. */
  refuses: boolean;
}

/** The highest number of slots, of all tags together and of each tag for one account. */
export const SLOTS_MAX = 20;

/** The tag of the account pages and the console, if there are several. */
const PAGES_TAG = 'web';

const ENTRY = /^([a-z][a-z0-9-]{0,31}):([1-9]\d?)$/;

/**
 * Reads `SESSION_SLOTS` and `SESSION_LIMIT`.
 *
 * @throws {ConfigError} with the setting's name and the first mistake.
 */
export function readSessionSlots(
  settings: Pick<AccountSettings, 'SESSION_SLOTS' | 'SESSION_LIMIT' | 'SINGLE_SESSION'>,
): SessionSlots {
  const { SESSION_SLOTS: list = '', SESSION_LIMIT, SINGLE_SESSION } = settings;
  const refuses = SESSION_LIMIT === 'refuse';
  if (!SINGLE_SESSION && (list !== '' || refuses)) {
    const name = list === '' ? 'SESSION_LIMIT=refuse' : 'SESSION_SLOTS';
    throw new ConfigError(
      `${name} needs SINGLE_SESSION=true: without it, accounts have any number of sessions`,
    );
  }
  if (list === '') return { perTag: new Map([['', 1]]), standard: '', refuses };
  const perTag = slotsIn(list);
  const total = [...perTag.values()].reduce((sum, slots) => sum + slots, 0);
  if (total > SLOTS_MAX)
    throw new ConfigError(`SESSION_SLOTS: has ${total} slots in all; at most ${SLOTS_MAX} are possible`);
  const [first = '', ...others] = perTag.keys();
  if (others.length > 0 && !perTag.has(PAGES_TAG)) {
    throw new ConfigError(
      `SESSION_SLOTS: with several tags, one must be "${PAGES_TAG}", which the account pages and the console use`,
    );
  }
  return { perTag, standard: others.length === 0 ? first : PAGES_TAG, refuses };
}

function slotsIn(list: string): Map<string, number> {
  const perTag = new Map<string, number>();
  for (const entry of list.split(',').map((part) => part.trim())) {
    const [, tag, slots] = ENTRY.exec(entry) ?? [];
    if (tag === undefined || slots === undefined) {
      throw new ConfigError(
        `SESSION_SLOTS: "${entry}" is not a tag with its number of slots, such as "web:1" or "smart-tv:2"`,
      );
    }
    if (perTag.has(tag)) throw new ConfigError(`SESSION_SLOTS: the tag "${tag}" is listed twice`);
    perTag.set(tag, Number(slots));
  }
  return perTag;
}

/** The tags that a login may ask for. */
export function knownTags({ perTag }: SessionSlots): string[] {
  return [...perTag.keys()].filter((tag) => tag !== '');
}

/** The tags of which grants without a session take slots: not that of the account pages, whose sessions they would end. */
export function grantTags(slots: SessionSlots): string[] {
  return knownTags(slots).filter((tag) => tag !== slots.standard);
}

/** The tag as which a session counts; those of tags that are no longer configured count as standard ones. */
export function countedTag({ perTag, standard }: SessionSlots, tag: string): string {
  return perTag.has(tag) ? tag : standard;
}

/** How many sessions of a known tag the account may have. */
export function limitOf({ perTag }: SessionSlots, account: { sessionLimit: number | null }, tag: string) {
  return account.sessionLimit ?? perTag.get(tag) ?? 1;
}

/** Whether a login ends every other session of an account without an exception of its own, and asks nobody. */
export function isSingleSession(settings: Pick<AccountSettings, 'SINGLE_SESSION'>, slots: SessionSlots) {
  const [only, ...others] = slots.perTag.values();
  return settings.SINGLE_SESSION && !slots.refuses && others.length === 0 && only === 1;
}

/** Whether the account may have only one session. A service account may have several, one for each replica. */
export function isExclusive(
  { SINGLE_SESSION }: Pick<AccountSettings, 'SINGLE_SESSION'>,
  { isService }: Pick<Account, 'isService'>,
): boolean {
  return SINGLE_SESSION && !isService;
}

/** The tag of a session for events and the audit; nothing if it has none. */
export function tagFact(tag: string): { SessionTag?: string } {
  return tag === '' ? {} : { SessionTag: tag };
}
