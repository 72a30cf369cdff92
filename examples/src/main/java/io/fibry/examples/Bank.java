package io.fibry.examples;

import io.fibry.ActorSystem;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableOptions;
import io.fibry.durable.EventLog;
import io.fibry.examples.bank.Account;
import io.fibry.examples.bank.Account.Event;
import io.fibry.examples.bank.AccountBehavior;
import io.fibry.examples.bank.Business;
import io.fibry.examples.bank.Database;
import io.fibry.examples.bank.Report;
import io.fibry.examples.bank.Statement;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.topic.Topic;
import io.fibry.topic.TopicOptions;
import java.time.Duration;

/**
 * Durable entities: ten accounts with stored events, and customers who transfer money. A business day takes a second.
 * At its end, the bank closes its books, and compares them with a report: it fails if money was lost or made. Kill the
 * program and start it again: it continues, whatever moment it was killed at. The arguments are an H2 file, by default
 * {@code target/bank}, or the JDBC URL of a PostgreSQL database; and the seconds between two statements of an account,
 * by default 10.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=Bank -Dargs="/tmp/bank 10"}
 */
public final class Bank {

    private Bank() {}

    public static void main(String[] args) throws Exception {
        String location = args.length > 0 ? args[0] : "target/bank";
        Duration month = Duration.ofSeconds(args.length > 1 ? Long.parseLong(args[1]) : 10);
        try (var database = Database.open(location);
                Topic<Statement> statements = Stereotypes.fibers().topic(TopicOptions.defaults());
                var printer = ActorSystem.defaultSystem()
                        .actor()
                        .newActor((Statement statement) -> System.out.println(statement.text()))) {
            statements.subscribe(printer);
            var log = EventLog.of(
                            database.store(),
                            Account.TYPE,
                            RecordCodec.of(Event.class),
                            owner -> new AccountBehavior(owner, month))
                    .snapshots(100, RecordCodec.of(Account.class));
            var options = DurableOptions.defaults().topic(Statement.TOPIC, statements);
            try (var accounts = DurableEntities.start(log, options);
                    var report = Report.start(database.pool(), log)) {
                new Business(accounts, report).run();
            }
        }
    }
}
