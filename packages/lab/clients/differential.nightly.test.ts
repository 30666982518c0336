import { differentialTests } from './differential.ts';

differentialTests(11, 2000);
