export { isVisible, typedCode, typedEmail, typedEmails, typedName } from './typed.ts';
