package io.fibry.tool;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.AttachOperationFailedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.net.MalformedURLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * The systems of another JVM, read through its management interface. The only class that refers to types of the modules
 * {@code jdk.attach} and {@code java.management}.
 *
 * <p>The attach API starts the management agent of the other JVM, which accepts connections from this machine only. It
 * keeps running: a second agent can not be started, and the first one has no operation that stops it.
 */
final class RemoteSystems {

    private static final String SYSTEMS = "io.fibry:type=ActorSystem,*";

    private RemoteSystems() {}

    /** The dumps of all systems that are registered, in the order of their names. */
    static List<String> dumps(long pid, boolean json) throws CommandException {
        try (JMXConnector connector = connect(agent(pid))) {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            Set<ObjectName> systems = new TreeSet<>(server.queryNames(new ObjectName(SYSTEMS), null));
            List<String> dumps = new ArrayList<>();
            for (ObjectName system : systems) {
                if (server.isRegistered(system)) { // otherwise closed meanwhile
                    dumps.add((String) server.invoke(system, json ? "dumpJson" : "dump", null, null));
                }
            }
            if (dumps.isEmpty()) {
                throw new CommandException(
                        ExitStatus.SYSTEM,
                        "process " + pid + " has no open actor system that is registered for JMX; register it by"
                                + " SystemOptions.jmx(true), or start the process with -Dio.fibry.jmx=true");
            }
            return dumps;
        } catch (IOException | JMException | JMRuntimeException e) {
            throw new CommandException(
                    ExitStatus.FAILURE, "the systems of process " + pid + " could not be read: " + text(e));
        }
    }

    @SuppressWarnings("BanJNDI") // the address contains the stub itself, and is from a process of the same user
    private static JMXConnector connect(String address) throws CommandException, IOException {
        try {
            return JMXConnectorFactory.connect(new JMXServiceURL(address));
        } catch (MalformedURLException e) { // no provider of the protocol
            throw new CommandException(
                    ExitStatus.MODULE,
                    "this Java runtime lacks the module java.management.rmi (" + e.getMessage()
                            + "); run the command with the java of a JDK");
        }
    }

    /** Starts the management agent of the process, and returns its address. */
    private static String agent(long pid) throws CommandException {
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        if (process.isEmpty()) {
            throw new CommandException(ExitStatus.PROCESS, "there is no process " + pid + "; jcmd lists the processes");
        }
        if (pid == ProcessHandle.current().pid()) {
            throw new CommandException(ExitStatus.PROCESS, "process " + pid + " is this command");
        }
        VirtualMachine machine = attach(process.get());
        try {
            String address = machine.startLocalManagementAgent();
            if (address == null) {
                throw noAgent(pid, "it has no address");
            }
            return address;
        } catch (AttachOperationFailedException e) {
            throw noAgent(pid, text(e));
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.FAILURE, "the connection to process " + pid + " has failed: " + text(e));
        } finally {
            detach(machine);
        }
    }

    private static CommandException noAgent(long pid, String reason) {
        return new CommandException(
                ExitStatus.MODULE,
                "the management agent of process " + pid + " could not be started: " + reason
                        + "; its Java runtime needs the module jdk.management.agent");
    }

    private static VirtualMachine attach(ProcessHandle process) throws CommandException {
        try {
            return VirtualMachine.attach(Long.toString(process.pid()));
        } catch (AttachNotSupportedException | IOException e) {
            throw refused(
                    process.pid(),
                    process.info().user(),
                    ProcessHandle.current().info().user(),
                    text(e));
        }
    }

    /** The problem of an attach that has failed. The users are empty if the operating system does not report them. */
    static CommandException refused(long pid, Optional<String> owner, Optional<String> user, String reason) {
        if (owner.isPresent() && user.isPresent() && !owner.equals(user)) {
            return new CommandException(
                    ExitStatus.USER,
                    "process " + pid + " belongs to the user " + owner.get() + ", and this command to " + user.get()
                            + "; run the command as " + owner.get() + " (" + reason + ")");
        }
        return new CommandException(
                ExitStatus.PROCESS,
                "process " + pid + " does not allow to attach to it: " + reason
                        + "; it has to be a Java process without -XX:+DisableAttachMechanism");
    }

    private static void detach(VirtualMachine machine) {
        try {
            machine.detach();
        } catch (IOException e) {
            return; // the process may have ended, and nothing is left to detach from
        }
    }

    private static String text(Exception e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getName() : message;
    }
}
