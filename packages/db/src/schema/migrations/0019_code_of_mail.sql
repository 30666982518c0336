-- Which code a mail carries: Admin, which cannot open mails, tells by it whether sending one again makes sense.

alter table mail_delivery add column code_id uuid;
