export { serve } from '@gatehouse/runtime/testing';
