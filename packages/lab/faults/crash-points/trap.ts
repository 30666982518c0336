import type { Protocol, Proxy, Verdict } from '@gatehouse/runtime/testing';
import { isAnswer, stepReader, type Step } from './steps.ts';

export interface ProxiedServer {
  protocol: Protocol;
  proxy: Proxy;
}

/** `before`: the step has not reached the server. `after`: the server has done it, but its reply has not arrived. */
export interface Point {
  /** Counted from 1. If a protocol is given, only its steps are counted. */
  step: number;
  protocol?: Protocol;
  side: 'before' | 'after';
}

export type Trap = ReturnType<ReturnType<typeof createTrapper>['set']>;

/** Stops a process at chosen points. */
export function createTrapper(servers: readonly ProxiedServer[]) {
  const stopped = new Set<string>();
  let isOfJob: (text: string) => boolean = () => false;
  type Judge = (step: Step | undefined, message: { connection: string; isAnswer: boolean }) => Verdict;
  let judge: Judge = () => 'pass';
  for (const { protocol, proxy } of servers) {
    const read = stepReader(protocol);
    proxy.tap = (message) => {
      const step = read(message);
      const connection = `${protocol} ${message.connection}`;
      if (stopped.has(connection)) return 'hold';
      if (step !== undefined && isOfJob(step.text)) {
        stopped.add(connection);
        return 'hold';
      }
      const isServers = message.direction === 'down' && isAnswer(protocol, message.frame);
      return judge(step, { connection, isAnswer: isServers });
    };
  }
  return {
    /**
     * From now on holds back every statement with which a periodic job of the process begins. Resolves when each of
     * `awaited` has been seen. Then none of these jobs is running, and all further steps belong to requests.
     */
    holdJobs: (jobs: readonly RegExp[], awaited: readonly RegExp[]) =>
      new Promise<void>((resolve) => {
        const missing = new Set(awaited);
        isOfJob = (text) => {
          const job = jobs.find((one) => one.test(text));
          if (job !== undefined) missing.delete(job);
          if (missing.size === 0) resolve();
          return job !== undefined;
        };
      }),
    /**
     * Lets the process run up to a point among the steps that `counts` selects from now on, or to the end without a
     * point. Connections that an earlier trap has stopped stay stopped.
     */
    set: (counts: (step: Step) => boolean, point?: Point) => {
      const done: Step[] = [];
      let seen = 0;
      let awaited: string | undefined;
      let isSprung = false;
      let spring: () => void = () => {};
      const sprung = new Promise<void>((resolve) => {
        spring = resolve;
      });
      const stop = (connection: string): 'hold' => {
        stopped.add(connection);
        isSprung = true;
        spring();
        return 'hold';
      };
      judge = (step, message) => {
        if (isSprung) return 'pass';
        if (awaited === message.connection && message.isAnswer) return stop(awaited);
        if (step === undefined || !counts(step)) return 'pass';
        const isCounted = point?.protocol === undefined || point.protocol === step.protocol;
        if (isCounted) seen += 1;
        const isReached = isCounted && seen === point?.step;
        if (isReached && point?.side === 'before') return stop(message.connection);
        if (isReached) awaited = message.connection;
        done.push(step);
        return 'pass';
      };
      return {
        /** Resolves when the point is reached. From then on nothing passes on this connection in either direction. */
        sprung,
        /** The steps that reached the servers before the point. */
        done,
        get isSprung(): boolean {
          return isSprung;
        },
      };
    },
  };
}
