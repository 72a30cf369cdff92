package io.fibry.spring.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.ThreadStrategy;
import io.fibry.cluster.ClusterSystem;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableOptions;
import io.fibry.durable.DurableType;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.StateTable;
import io.fibry.durable.Transactions;
import io.fibry.entity.Entities;
import io.fibry.spring.ActorSystemCustomizer;
import io.fibry.spring.FibryActor;
import io.fibry.spring.test.AutoConfigureTestSystem;
import io.fibry.test.TestSystem;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The code of the guide equals the code in this file, which is tested; its table of properties is complete. */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class GuideTest {

    private static final Path MODULE = Path.of(System.getProperty("basedir", "."));
    private static final Path GUIDE = MODULE.resolve("../../docs/spring-boot.md");
    private static final Path CLUSTER_GUIDE = MODULE.resolve("../../docs/spring-boot-cluster.md");
    private static final Path SOURCE = MODULE.resolve("src/test/java/io/fibry/spring/guide/GuideTest.java");
    private static final Path METADATA = MODULE.resolve("target/classes/META-INF/spring-configuration-metadata.json");

    @Test
    void theCodeOfTheGuideIsInThisFile() throws Exception {
        String source = withoutSpace(Files.readString(SOURCE));
        List<MatchResult> blocks = Pattern.compile("(?ms)^```java\n(.*?)^```$")
                .matcher(Files.readString(GUIDE) + Files.readString(CLUSTER_GUIDE))
                .results()
                .toList();
        assertEquals(9, blocks.size());
        for (MatchResult block : blocks) {
            assertTrue(source.contains(withoutSpace(block.group(1))), block.group(1));
        }
    }

    /** Removes all white space, because the guide is narrower than this file: its lines break at other places. */
    private static String withoutSpace(String code) {
        return code.replaceAll("\\s+", "");
    }

    @Test
    void theTableHasAllPropertiesAndTheirDefaults() throws Exception {
        JsonNode metadata =
                new JsonMapper().readTree(Files.readString(METADATA)).get("properties");
        List<String> guide = new ArrayList<>(Files.readAllLines(GUIDE));
        guide.addAll(Files.readAllLines(CLUSTER_GUIDE));
        List<String> inTheTable = guide.stream()
                .filter(line -> line.startsWith("| `fibry."))
                .map(line -> line.split("`", -1)[1])
                .sorted()
                .toList();
        var names = new ArrayList<String>();
        for (JsonNode property : metadata) {
            String name = property.get("name").asString();
            if (name.startsWith("management.")) {
                continue; // generated for the endpoint, as for every endpoint
            }
            names.add(name);
            if (property.has("defaultValue")) {
                String row =
                        "| `" + name + "` | `" + property.get("defaultValue").asString() + "` |";
                assertTrue(guide.stream().anyMatch(line -> line.startsWith(row)), row);
            }
            assertTrue(property.has("description"), name);
        }
        assertEquals(names, inTheTable);
    }

    @Test
    void theGuideIsShort() throws Exception {
        List<String> lines = Files.readAllLines(GUIDE);
        String prose = String.join("\n", lines).replaceAll("(?ms)^ *```.*?^ *```$", "");
        int words = prose.strip().split("\\s+").length;
        assertTrue(words <= 1_400, "words: " + words);
        assertEquals(
                "## When not to use it",
                lines.stream()
                        .filter(line -> line.startsWith("## "))
                        .reduce((one, next) -> next)
                        .orElseThrow());
        for (MatchResult link : Pattern.compile("\\]\\((?!https?:)([^)#]+)")
                .matcher(String.join("\n", lines))
                .results()
                .toList()) {
            assertTrue(Files.exists(GUIDE.resolveSibling(link.group(1))), link.group(1));
        }
    }

    @Test
    void theCodeOfTheGuideWorks(CapturedOutput output) throws Exception {
        try (var context = (ServletWebServerApplicationContext)
                        new SpringApplication(Guide.class, Stock.class, Desk.class, Orders.class)
                                .run(
                                        "--server.port=0",
                                        "--fibry.task-executor.enabled=true",
                                        "--fibry.durable.create-schema=true");
                var client = HttpClient.newHttpClient()) {
            var uri = URI.create("http://localhost:" + context.getWebServer().getPort() + "/take/3");
            var take = HttpRequest.newBuilder(uri)
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertEquals(
                    "7", client.send(take, HttpResponse.BodyHandlers.ofString()).body());
            context.getBean(Notifier.class).notifyOf("hello");
            assertEquals("hello", context.getBean(Mailer.class).sent.take());
            assertEquals(
                    "pool",
                    context.getBean(ActorSystem.class)
                            .actors()
                            .filter(actor -> actor.name().equals("mail"))
                            .findFirst()
                            .orElseThrow()
                            .strategy());
            Mailer mailer = context.getBean(Mailer.class);
            Orders orders = context.getBean(Orders.class);
            context.getBean(JdbcClient.class)
                    .sql("CREATE TABLE orders (id VARCHAR(10) PRIMARY KEY)")
                    .update();
            orders.place("one");
            assertThrows(DuplicateKeyException.class, () -> orders.place("one"));
            orders.place("two");
            assertEquals("one", mailer.sent.take());
            assertEquals("two", mailer.sent.take());
            @SuppressWarnings("unchecked")
            Entities<String, Deposit, Long> accounts = context.getBean(Entities.class);
            assertEquals(
                    5,
                    accounts.ref("alice")
                            .ask(new Deposit(5), Duration.ofSeconds(30))
                            .join());
            context.getBean(ActorSystem.class)
                    .<String>find("session")
                    .orElseThrow()
                    .tell("hi");
        }
        assertTrue(output.getOut().contains("session: hi"), output::getOut);
    }
}

record Take(int pieces) {}

@Component
@FibryActor
class Stock implements Function<Take, Integer> {
    private int pieces = 10;

    @Override
    public Integer apply(Take take) {
        if (take.pieces() > pieces) {
            throw new IllegalArgumentException("only " + pieces + " left");
        }
        return pieces -= take.pieces();
    }
}

@RestController
record Desk(ReplyActor<Take, Integer> stock) {
    @PostMapping("/take/{pieces}")
    int take(@PathVariable("pieces") int pieces) throws Exception {
        return stock.call(new Take(pieces), Duration.ofSeconds(1));
    }
}

class Mailer {
    final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

    void send(String text) {
        sent.add(text);
    }
}

record Notifier(Actor<String> mail) {
    void notifyOf(String text) {
        mail.tell(text);
    }
}

@Service
class Orders {
    private final JdbcClient database;
    private final Actor<String> mail;

    Orders(JdbcClient database, @Qualifier("mail") Actor<String> mail) {
        this.database = database;
        this.mail = mail;
    }

    @Transactional
    public void place(String order) {
        database.sql("INSERT INTO orders VALUES (?)").param(order).update();
        Transactions.tellAfterCommit(mail, order);
    }
}

record Deposit(long amount) {}

record Account(long balance) {}

class Accounts implements Durable<Account, Deposit, Long> {
    @Override
    public Account initial() {
        return new Account(0);
    }

    @Override
    public Change<Account, Long> handle(Account account, Deposit deposit) {
        long balance = account.balance() + deposit.amount();
        return Change.to(new Account(balance), balance);
    }
}

@EnableAutoConfiguration
class Guide {

    @Bean
    Mailer mailer() {
        return new Mailer();
    }

    @Bean
    @FibryActor(name = "mail", capacity = 1_000, overflow = Overflow.FAIL)
    Consumer<String> mail(Mailer mailer) {
        return mailer::send;
    }

    @Bean
    Notifier notifier(@Qualifier("mail") Actor<String> mail) {
        return new Notifier(mail);
    }

    @Bean
    DurableEntities<Deposit, Long> accounts(ActorSystem system, JdbcStore store) {
        var type = DurableType.of("account", RecordCodec.of(Deposit.class), RecordCodec.of(Long.class));
        var table = StateTable.of(store, type, RecordCodec.of(Account.class), new Accounts());
        return DurableEntities.start(system.actor(), table, DurableOptions.defaults());
    }

    @Bean
    @Scope("prototype")
    @FibryActor
    Consumer<String> session(ActorContext<String> context) {
        context.receiveTimeout(Duration.ofMinutes(5), "idle");
        return message -> System.out.println("session: " + message);
    }

    @Bean
    ExecutorService threads() {
        return Executors.newVirtualThreadPerTaskExecutor();
    }

    @Bean
    ActorSystemCustomizer pool(@Qualifier("threads") ExecutorService threads) {
        return options -> options.strategy(ThreadStrategy.pool(threads));
    }
}

class ClusterGuide {

    @Bean
    DurableEntities<Deposit, Long> accounts(ClusterSystem cluster, JdbcStore store) {
        var type = DurableType.of("account", RecordCodec.of(Deposit.class), RecordCodec.of(Long.class));
        var table = StateTable.of(store, type, RecordCodec.of(Account.class), new Accounts());
        return cluster.entities(table);
    }
}

@EnableAutoConfiguration
class Sessions {

    @Bean
    @Scope("prototype")
    @FibryActor
    Consumer<String> session(ActorContext<String> context) {
        return new Guide().session(context);
    }
}

@ContextConfiguration(classes = Sessions.class)
@SpringBootTest
@AutoConfigureTestSystem
@ExtendWith(OutputCaptureExtension.class)
class SessionTest {
    @Autowired
    TestSystem test;

    @Test
    void isIdleAfterFiveMinutes(@Autowired @Qualifier("session") Actor<String> session, CapturedOutput output) {
        session.tell("hello");
        test.advance(Duration.ofMinutes(5)); // in milliseconds
        assertTrue(output.getOut().contains("session: idle"));
    }
}
