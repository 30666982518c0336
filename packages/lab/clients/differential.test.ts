import { differentialTests } from './differential.ts';

differentialTests(7, 200);
