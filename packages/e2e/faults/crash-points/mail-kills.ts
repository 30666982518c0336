import { setTimeout as pause } from 'node:timers/promises';
import { PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { newAccount } from './accounts.ts';
import type { Step } from './steps.ts';
import type { Point } from './trap.ts';
import { ask, type Victim, type World } from './world.ts';

/** A point that is not reached within this time is after the last step. */
const REACHED_MS_MAX = 4000;

/** A mail that was being processed when its process was killed, with whether the point was reached. */
export interface Interrupted {
  email: string;
  isReached: boolean;
}

/** Kills the only active relay while it publishes the events of a registration. */
export async function killRelayAt(world: World, point: Point): Promise<Interrupted> {
  const others = [world.core, world.portal, world.admin];
  const email = someEmail();
  const send = async (victim: Victim): Promise<void> => {
    const body = { Email: email, Password: PASSWORD };
    const answer = await ask(victim, '/account/register', { body });
    if (answer?.status !== 200) throw new Error(`a registration: ${JSON.stringify(answer)}`);
  };
  const victim = await world.startVictim('core', { hasBroker: true });
  for (const other of others) other.signal('SIGSTOP');
  try {
    // The relay reads the outbox even when it is empty.
    let isSent = false;
    const counts = (step: Step) => (isSent ||= isInsertOfEvents(step)) && isOfRelay(step);
    return { email, isReached: await interrupt(victim, counts, point, send) };
  } finally {
    for (const other of others) other.signal('SIGCONT');
  }
}

/** Kills the only Core while it mails requested codes. */
export async function killCodeMailerAt(world: World, point: Point): Promise<Interrupted> {
  const { email } = await newAccount(world);
  const send = async (victim: Victim): Promise<void> => {
    const answer = await ask(victim, '/account/forgot-password', { body: { Email: email } });
    if (answer?.status !== 200) throw new Error(`a request for a code: ${JSON.stringify(answer)}`);
  };
  const victim = await world.startVictim('core', { hasBroker: false });
  world.core.signal('SIGSTOP');
  try {
    let isSent = false;
    let mailing: number | undefined;
    const counts = ({ text, connection }: Step) => {
      isSent ||= text.startsWith('insert into reset_request');
      if (text.startsWith('delete from reset_request')) mailing = connection;
      // Core looks for requests even when there are none.
      const isOwn = connection === mailing || text.startsWith('update reset_request');
      if (text === 'COMMIT' && connection === mailing) mailing = undefined;
      return isSent && isOwn;
    };
    return { email, isReached: await interrupt(victim, counts, point, send) };
  } finally {
    world.core.signal('SIGCONT');
  }
}

/** Kills the only mail worker while it sends a code. The next worker continues. */
export async function killWorkerAt(world: World, point: Point): Promise<Interrupted> {
  const { id, email } = await newAccount(world);
  const send = async (): Promise<void> => {
    await ask(world.core, '/account/forgot-password', { body: { Email: email } });
  };
  const victim = await world.startVictim('mail-worker', { hasBroker: true });
  // The steps of this mail begin with its record. When it is marked as sent, the worker looks for others.
  let isBegun = false;
  let isOver = false;
  const counts = (step: Step) => {
    isBegun ||= step.frame.includes(id);
    if (!isBegun || isOver || (step.protocol === 'postgres' && !isOfMail(step))) return false;
    isOver = isMark(step);
    return true;
  };
  return { email, isReached: await interrupt(victim, counts, point, send) };
}

async function interrupt(
  victim: Victim,
  counts: (step: Step) => boolean,
  point: Point,
  send: (victim: Victim) => Promise<void>,
): Promise<boolean> {
  try {
    const trap = victim.trapper.set(counts, point);
    await send(victim);
    return await Promise.race([trap.sprung.then(() => true), pause(REACHED_MS_MAX, false)]);
  } finally {
    await victim.kill();
    await victim.close();
  }
}

function isInsertOfEvents({ text }: Step): boolean {
  return text.startsWith('insert into outbox');
}

function isOfRelay({ text }: Step): boolean {
  return text === 'publish' || /^(update|delete from) outbox /.test(text);
}

/** The record, the claim, the check of the code, or the mark. */
function isOfMail(step: Step): boolean {
  return /insert into mail_delivery|^with due |from account_code/.test(step.text) || isMark(step);
}

function isMark({ text }: Step): boolean {
  return text.startsWith('update mail_delivery set status');
}

/** The number of copies of the mail to each address, once each has arrived. */
export function copiesOf(world: World, interrupted: readonly Interrupted[]): Promise<number[]> {
  return eventually(() => {
    const copies = interrupted.map(({ email }) => world.sink.mailsTo(email).length);
    return copies.every((count) => count > 0) && copies;
  }, 60);
}

/** Interrupts at each point in order, until one is after the last step. */
export async function interruptAtEvery<One extends Interrupted>(
  interruptAt: (point: Point) => Promise<One>,
  steps: readonly number[],
): Promise<One[]> {
  const interrupted: One[] = [];
  for (const step of steps) {
    for (const side of ['before', 'after'] as const) {
      const one = await interruptAt({ step, side });
      interrupted.push(one);
      if (!one.isReached && side === 'before') return interrupted;
    }
  }
  return interrupted;
}
