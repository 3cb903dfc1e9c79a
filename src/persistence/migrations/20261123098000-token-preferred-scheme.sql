-- Which of the schemes of its card the customer wants a stored source to be paid by.
alter table customer_token add column preferred_scheme text;
