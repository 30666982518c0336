import type { FaultWorld } from './fault-world.ts';
import type { Fault } from './run-fault.ts';

/** What happens to the services themselves: each is killed, and each is frozen for a while. */
export function serviceFaults(given: () => FaultWorld): Fault[] {
  return (['core', 'portal', 'admin', 'mail-worker'] as const).flatMap((part) => {
    const isCalled = part === 'core' || part === 'portal';
    const each = {
      seconds: 1,
      breaksConnections: isCalled,
      ...(!isCalled && { undisturbed: 'calls' as const }),
    };
    const faults: Fault[] = [
      {
        ...each,
        name: `${part} is killed and started again`,
        begin: () => given().stack.hold(part),
        end: () => given().stack.release(part),
      },
      {
        ...each,
        name: `${part} is frozen and goes on`,
        begin: () => given().stack.kill(part, 'SIGSTOP'),
        end: () => given().stack.kill(part, 'SIGCONT'),
      },
    ];
    return faults;
  });
}
